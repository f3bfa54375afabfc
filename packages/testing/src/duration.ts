const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * A length of time: milliseconds, a number with its unit (`'45s'`, `'15m'` for minutes, `'12h'`, `'30d'`, `'2w'`), or
 * parts that are added up.
 */
export type Duration =
  | number
  | `${number}${keyof typeof UNITS}`
  | {
      readonly weeks?: number;
      readonly days?: number;
      readonly hours?: number;
      readonly minutes?: number;
      readonly seconds?: number;
    };

/** A duration in milliseconds. @throws RangeError when it is negative or not a duration */
export function durationMs(duration: Duration): number {
  const ms = milliseconds(duration);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new RangeError(
    `Expected a duration such as '30d', '12h', { days: 30 } or milliseconds, 0 or more; found ${JSON.stringify(duration)}.`,
  );
}

function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration;
  if (typeof duration === 'string') {
    const [, count, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(duration) ?? [];
    return Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  const { weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = duration;
  return weeks * UNITS.w + days * UNITS.d + hours * UNITS.h + minutes * UNITS.m + seconds * UNITS.s;
}
