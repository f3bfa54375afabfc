const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The retry schedule (backoff) of webhooks: the delay after each failed attempt, in milliseconds. The first attempt is
 * made at once, and the next ones after 1 minute, 5 minutes, 30 minutes, 2 hours, and six times 12 hours. A delivery
 * fails when its last retry fails too.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  ...Array.from({ length: 6 }, () => 12 * HOUR),
];

/** What may make a delay longer than scheduled. Nothing makes it shorter. */
export interface DelayExtension {
  /** From 0 to 1: how much of the jitter is added, which is at most a tenth of the delay. */
  readonly jitter: number;
  /**
   * The seconds of the endpoint's `Retry-After` on a 429 or 503, else null. It counts up to twice the scheduled delay.
   */
  readonly retryAfter: number | null;
}

/**
 * Returns when a delivery is due again after `attemptsMade` failures, the last of them at `now`: by the retry schedule, or
 * later by its jitter or by the endpoint's Retry-After. Null after the last retry.
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
