const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The retry schedule (backoff) of webhooks: the delay after each failed attempt, in milliseconds. The first
 * attempt is made at once. A delivery fails when its last retry fails too.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  ...Array.from({ length: 6 }, () => 12 * HOUR),
];

/** How long the attempts of a delivery take at least, from the first failure to the last. */
export const SCHEDULE_MS = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay);

/** Reasons for a delay longer than scheduled; no delay is shorter. */
export interface DelayExtension {
  /** A random number from 0 to 1. At 1, the jitter adds a tenth of the delay. */
  readonly jitter: number;
  /** The seconds of `Retry-After` on a 429 or 503, else null. A delay gets at most twice as long. */
  readonly retryAfter: number | null;
}

/**
 * Returns when a delivery is due again after `attemptsMade` failures, the last of them at `now`: by the
 * schedule, or later by its jitter or by `Retry-After`. Returns null after the last retry.
 */
export function nextAttemptAt(
  attemptsMade: number,
  now: Date,
  { jitter, retryAfter }: DelayExtension,
): Date | null {
  const delay = RETRY_DELAYS_MS[attemptsMade - 1];
  if (delay === undefined) return null;
  const requested = Math.min((retryAfter ?? 0) * 1_000, 2 * delay);
  return new Date(now.getTime() + Math.max(Math.floor(delay * (1 + jitter / 10)), requested));
}
