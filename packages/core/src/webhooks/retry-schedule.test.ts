import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttemptAt, RETRY_DELAYS_MS } from './retry-schedule.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const NO_EXTENSION = { jitter: 0, retryAfter: null };

const delay = (
  attemptsMade: number,
  extension = NO_EXTENSION as { jitter: number; retryAfter: number | null },
) => {
  const at = nextAttemptAt(attemptsMade, NOW, extension);
  return at === null ? null : at.getTime() - NOW.getTime();
};

const attemptsMade = fc.integer({ min: 1, max: 10 });
const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const scheduledDelay = (attempts: number) => RETRY_DELAYS_MS[attempts - 1] ?? 0;

// deliveries#retry-schedule-with-backoff
describe('the retry schedule', () => {
  test.each([
    [1, '1 minute', 60_000],
    [2, '5 minutes', 300_000],
    [3, '30 minutes', 1_800_000],
    [4, '2 hours', 7_200_000],
    [5, '12 hours', 43_200_000],
    [6, '12 hours', 43_200_000],
    [7, '12 hours', 43_200_000],
    [8, '12 hours', 43_200_000],
    [9, '12 hours', 43_200_000],
    [10, '12 hours', 43_200_000],
  ])('after failure %i the delay is %s', (attempts, _, ms) => {
    expect(delay(attempts)).toBe(ms);
  });

  test('has no retry after the eleventh failure', () => {
    expect(delay(11)).toBeNull();
  });

  test('takes a little over three days', () => {
    const hours = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(72);
    expect(hours).toBeLessThan(75);
  });

  test('adds at most a tenth of a delay as jitter, and never shortens one', () => {
    fc.assert(
      fc.property(attemptsMade, jitter, (attempts, given) => {
        const actual = delay(attempts, { jitter: given, retryAfter: null });
        expect(actual).toBeGreaterThanOrEqual(scheduledDelay(attempts));
        expect(actual).toBeLessThanOrEqual(scheduledDelay(attempts) * 1.1);
      }),
    );
  });

  // deliveries#retry-after-of-an-endpoint
  test('lengthens a delay by Retry-After to at most twice the delay, and never shortens one', () => {
    fc.assert(
      fc.property(
        attemptsMade,
        jitter,
        fc.oneof(fc.nat(200_000), fc.constant(999_999_999)),
        (attempts, given, retryAfter) => {
          const actual = delay(attempts, { jitter: given, retryAfter }) ?? 0;
          const without = delay(attempts, { jitter: given, retryAfter: null }) ?? 0;
          expect(actual).toBeGreaterThanOrEqual(without);
          expect(actual).toBeGreaterThanOrEqual(Math.min(retryAfter * 1_000, 2 * scheduledDelay(attempts)));
          expect(actual).toBeLessThanOrEqual(2 * scheduledDelay(attempts));
        },
      ),
    );
  });

  // deliveries#retry-after-of-an-endpoint
  test('waits exactly as long as a Retry-After between the delay and twice the delay', () => {
    expect(delay(1, { jitter: 0, retryAfter: 90 })).toBe(90_000);
  });
});
