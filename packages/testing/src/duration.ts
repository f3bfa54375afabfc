const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * A length of time: milliseconds, a number with its unit (`'45s'`, `'15m'` for minutes, `'12h'`, `'30d'`,
 * `'2w'`, `'1mo'` for calendar months), or parts that are added up, months first.
 */
export type Duration =
  | number
  | `${number}${keyof typeof UNITS | 'mo'}`
  | {
      readonly months?: number;
      readonly weeks?: number;
      readonly days?: number;
      readonly hours?: number;
      readonly minutes?: number;
      readonly seconds?: number;
    };

/**
 * The instant at which a duration ends, in milliseconds. A month later is the same day of the next month in
 * UTC, or the last of a month that is too short.
 *
 * @throws RangeError when the duration is negative or none
 */
export function endOf(duration: Duration, from: Date): number {
  const { months, ms } = partsOf(duration);
  if (Number.isInteger(months) && months >= 0 && Number.isFinite(ms) && ms >= 0)
    return monthsLater(from, months) + ms;
  throw new RangeError(
    `Expected a duration such as '30d', '1mo', { days: 30 } or milliseconds, 0 or more; found ${JSON.stringify(duration)}.`,
  );
}

/**
 * The instant of a date that is not before now, in milliseconds.
 *
 * @throws RangeError when it is before now or no date
 */
export function notBefore(now: Date, date: Date): number {
  const at = date.getTime();
  if (at >= now.getTime()) return at;
  const found = Number.isNaN(at) ? 'an invalid date' : date.toISOString();
  throw new RangeError(`Time moves forward only: it is ${now.toISOString()}; found ${found}.`);
}

/** The months and the milliseconds of a duration. */
function partsOf(duration: Duration): { readonly months: number; readonly ms: number } {
  if (typeof duration === 'number') return { months: 0, ms: duration };
  if (typeof duration === 'string') {
    const [, count, unit] = /^(\d+(?:\.\d+)?)(s|m|h|d|w|mo)$/.exec(duration) ?? [];
    if (unit === 'mo') return { months: Number(count), ms: 0 };
    return { months: 0, ms: Number(count) * UNITS[unit as keyof typeof UNITS] };
  }
  const { months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = duration;
  const ms = weeks * UNITS.w + days * UNITS.d + hours * UNITS.h + minutes * UNITS.m + seconds * UNITS.s;
  return { months, ms };
}

function monthsLater(from: Date, months: number): number {
  const later = new Date(from);
  later.setUTCMonth(later.getUTCMonth() + months);
  // A day that the month lacks ran over into the next: the zeroth day is the last of the month before.
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later.getTime();
}
