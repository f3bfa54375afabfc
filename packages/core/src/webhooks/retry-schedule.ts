const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** deliveries#retry-schedule-with-backoff: the wait after each failed attempt in milliseconds. After one more attempt than it has waits, a delivery has failed. */
export const WAITS_MS: readonly number[] = [
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  ...Array.from({ length: 6 }, () => 12 * HOUR),
];

/** What may move the next attempt from its nominal instant, always to later. */
export interface Lateness {
  /** From 0 to 1: how much of the tenth of the wait that jitter may add is added (deliveries#retry-schedule-with-backoff). */
  readonly jitter: number;
  /** Seconds the endpoint asked for on a 429 or 503, or null. Honoured up to twice the nominal wait (deliveries#retry-after-of-an-endpoint). */
  readonly retryAfter: number | null;
}

/** When a delivery is attempted again after `attemptsMade` failures, the last one at `now`; null when that was the last. */
export function nextAttemptAt(
  attemptsMade: number,
  now: Date,
  { jitter, retryAfter }: Lateness,
): Date | null {
  const wait = WAITS_MS[attemptsMade - 1];
  if (wait === undefined) return null;
  const asked = Math.min((retryAfter ?? 0) * 1_000, 2 * wait);
  return new Date(now.getTime() + Math.max(Math.floor(wait * (1 + jitter / 10)), asked));
}
