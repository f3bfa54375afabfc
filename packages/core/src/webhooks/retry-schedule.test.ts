import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttemptAt, WAITS_MS } from './retry-schedule.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const PLAIN = { jitter: 0, retryAfter: null };

const wait = (attemptsMade: number, lateness = PLAIN as { jitter: number; retryAfter: number | null }) => {
  const at = nextAttemptAt(attemptsMade, NOW, lateness);
  return at === null ? null : at.getTime() - NOW.getTime();
};

const attemptsMade = fc.integer({ min: 1, max: 10 });
const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const nominal = (attempts: number) => WAITS_MS[attempts - 1] ?? 0;

describe('deliveries#retry-schedule-with-backoff: the retry schedule', () => {
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
  ])('after failure %i it waits %s', (attempts, _, ms) => {
    expect(wait(attempts)).toBe(ms);
  });

  test('the eleventh failure ends it', () => {
    expect(wait(11)).toBeNull();
  });

  test('eleven attempts take a little over three days', () => {
    const hours = WAITS_MS.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(72);
    expect(hours).toBeLessThan(75);
  });

  test('jitter makes a wait at most a tenth longer and never shorter', () => {
    fc.assert(
      fc.property(attemptsMade, jitter, (attempts, given) => {
        const actual = wait(attempts, { jitter: given, retryAfter: null });
        expect(actual).toBeGreaterThanOrEqual(nominal(attempts));
        expect(actual).toBeLessThanOrEqual(nominal(attempts) * 1.1);
      }),
    );
  });

  test('deliveries#retry-after-of-an-endpoint: Retry-After lengthens a wait, to twice it at most, and never shortens it', () => {
    fc.assert(
      fc.property(
        attemptsMade,
        jitter,
        fc.oneof(fc.nat(200_000), fc.constant(999_999_999)),
        (attempts, given, retryAfter) => {
          const actual = wait(attempts, { jitter: given, retryAfter }) ?? 0;
          const without = wait(attempts, { jitter: given, retryAfter: null }) ?? 0;
          expect(actual).toBeGreaterThanOrEqual(without);
          expect(actual).toBeGreaterThanOrEqual(Math.min(retryAfter * 1_000, 2 * nominal(attempts)));
          expect(actual).toBeLessThanOrEqual(2 * nominal(attempts));
        },
      ),
    );
  });

  test('deliveries#retry-after-of-an-endpoint: a Retry-After between the wait and twice it is kept to the second', () => {
    expect(wait(1, { jitter: 0, retryAfter: 90 })).toBe(90_000);
  });
});
