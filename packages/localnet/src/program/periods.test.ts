import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Allowance, type Period, cancellationExpiry, periodEnd, pull, rollForward } from './periods.js';

const PRICE = 100n;
const LENGTH = 30n;

/** Pulls these amounts at one instant, and collects the start of the period or the refusal of each. */
function pullAll(from: Period, allowance: Allowance, amounts: readonly bigint[], now: bigint) {
  const results: (string | bigint)[] = [];
  let period = from;
  for (const amount of amounts) {
    const outcome = pull(period, allowance, amount, now);
    if ('refusal' in outcome) results.push(outcome.refusal);
    else results.push((period = outcome.period).start);
  }
  return { results, period };
}

// program#period-arithmetic
describe('#78 the vectors of the period arithmetic', () => {
  const refused = 'AmountExceedsPeriodLimit';
  it.each([
    { start: 0n, pulled: 100n, end: 0n, now: 90n, amounts: [100n], results: [90n] },
    { start: 0n, pulled: 100n, end: 90n, now: 35n, amounts: [100n], results: [30n] },
    { start: 0n, pulled: 100n, end: 90n, now: 90n, amounts: [100n], results: [60n] },
    { start: 60n, pulled: 100n, end: 90n, now: 90n, amounts: [1n], results: [refused] },
    { start: 0n, pulled: 100n, end: 60n, now: 60n, amounts: [100n], results: [30n] },
    { start: 0n, pulled: 0n, end: 0n, now: 29n, amounts: [60n, 40n, 1n], results: [0n, 0n, refused] },
    { start: 0n, pulled: 100n, end: 0n, now: 30n, amounts: [100n], results: [30n] },
  ])('start $start, pulled $pulled, end $end, now $now', ({ start, pulled, end, now, amounts, results }) => {
    const allowance = { amount: PRICE, length: LENGTH, endTs: end };
    expect(pullAll({ start, pulled }, allowance, amounts, now).results).toEqual(results);
  });

  it("a pull is refused after the plan's end: length 100, start 0, pulled 100, end 300, now 350", () => {
    const allowance = { amount: PRICE, length: 100n, endTs: 300n };
    const period = { start: 0n, pulled: 100n };
    expect(pull(period, allowance, 1n, 350n)).toEqual({ refusal: 'DelegationExpired' });
    expect(pull(period, allowance, 100n, 300n)).toEqual({ period: { start: 200n, pulled: 100n } });
  });
});

describe("the order of a pull's checks", () => {
  const period = { start: 10n, pulled: 0n };
  it.each([
    ['InvalidAmount', 0n, 0n, 9n, 5n],
    ['DelegationExpired', 0n, 101n, 9n, 5n],
    ['InvalidPeriodLength', 0n, 101n, 9n, 0n],
    ['DelegationNotStarted', 30n, 101n, 9n, 0n],
    ['AmountExceedsPeriodLimit', 30n, 101n, 10n, 0n],
  ] as const)('%s', (refusal, length, amount, now, endTs) => {
    expect(pull(period, { amount: PRICE, length, endTs }, amount, now)).toEqual({ refusal });
  });
});

const seconds = fc.bigInt({ min: 0n, max: 5_000n });
const allowances = fc.record({
  amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  length: fc.bigInt({ min: 1n, max: 400n }),
  endTs: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 6_000n })),
});
const pulls = fc.array(
  fc.record({ wait: fc.bigInt({ min: 0n, max: 900n }), share: fc.integer({ min: 1, max: 120 }) }),
  {
    maxLength: 40,
  },
);

/** Pulls some hundredths of the price at each of the given times, until the plan has ended. */
function pullRepeatedly(
  start: bigint,
  allowance: Allowance,
  attempts: readonly { readonly wait: bigint; readonly share: number }[],
  onPull: (step: { before: Period; after: Period; taken: bigint; now: bigint }) => void,
): void {
  let period: Period = { start, pulled: 0n };
  let now = start;
  for (const { wait, share } of attempts) {
    now += wait;
    if (allowance.endTs !== 0n && now > allowance.endTs) return;
    const amount = (allowance.amount * BigInt(share)) / 100n;
    const outcome = pull(period, allowance, amount, now);
    const after = 'refusal' in outcome ? period : outcome.period;
    onPull({ before: period, after, taken: 'refusal' in outcome ? 0n : amount, now });
    period = after;
  }
}

describe('for any sequence of pulls', () => {
  // program#period-arithmetic
  it('boundaries stay on the grid of the first period', () => {
    fc.assert(
      fc.property(seconds, allowances, pulls, (start, allowance, attempts) => {
        pullRepeatedly(start, allowance, attempts, ({ before, after, now }) => {
          expect((after.start - start) % allowance.length).toBe(0n);
          expect(after.start).toBeGreaterThanOrEqual(before.start);
          expect(after.start).toBeLessThanOrEqual(now);
        });
      }),
    );
  });

  // program#period-arithmetic
  it('a period yields at most one price, and no period opens at or past the end', () => {
    fc.assert(
      fc.property(seconds, allowances, pulls, (start, allowance, attempts) => {
        const taken = new Map<bigint, bigint>();
        pullRepeatedly(start, allowance, attempts, (step) => {
          if (step.taken === 0n) return;
          const sum = (taken.get(step.after.start) ?? 0n) + step.taken;
          taken.set(step.after.start, sum);
          expect(sum).toBeLessThanOrEqual(allowance.amount);
          expect(step.after.pulled).toBe(sum);
          if (allowance.endTs !== 0n && step.after.start > start) {
            expect(step.after.start).toBeLessThan(allowance.endTs);
          }
        });
      }),
    );
  });

  it('a pull counts in the period in progress, or in the last one before the end', () => {
    fc.assert(
      fc.property(seconds, allowances, pulls, (start, allowance, attempts) => {
        pullRepeatedly(start, allowance, attempts, ({ after, taken, now }) => {
          if (taken === 0n) return;
          const running = now < after.start + allowance.length;
          const last = allowance.endTs !== 0n && after.start + allowance.length >= allowance.endTs;
          expect(running || last).toBe(true);
        });
      }),
    );
  });

  it('a pull of more than the price is refused and changes nothing', () => {
    fc.assert(
      fc.property(seconds, allowances, pulls, seconds, (start, allowance, attempts, wait) => {
        let period: Period = { start, pulled: 0n };
        pullRepeatedly(start, allowance, attempts, ({ after }) => void (period = after));
        const frozen = Object.freeze({ ...period });
        const outcome = pull(frozen, allowance, allowance.amount + 1n, period.start + wait);
        const ended = allowance.endTs !== 0n && period.start + wait > allowance.endTs;
        expect(outcome).toEqual({ refusal: ended ? 'DelegationExpired' : 'AmountExceedsPeriodLimit' });
        expect(frozen).toEqual(period);
      }),
    );
  });

  // program#amount-due-in-a-period
  it('rolling forward in memory gives exactly the amount that a pull may take', () => {
    fc.assert(
      fc.property(seconds, allowances, seconds, (start, allowance, wait) => {
        const paid = { start, pulled: allowance.amount };
        const now = start + wait;
        fc.pre(allowance.endTs === 0n || now <= allowance.endTs);
        const seen = rollForward(paid, allowance.length, allowance.endTs, now);
        const left = allowance.amount - seen.pulled;
        const most = pull(paid, allowance, left, now);
        if (left === 0n) expect(most).toEqual({ refusal: 'InvalidAmount' });
        else expect(most).toEqual({ period: { start: seen.start, pulled: allowance.amount } });
        expect(pull(paid, allowance, left + 1n, now)).toEqual({ refusal: 'AmountExceedsPeriodLimit' });
      }),
    );
  });
});

describe('the end of a period and of a cancelled subscription', () => {
  // program#amount-due-in-a-period
  it("a period ends at its boundary, or at the plan's end if that is earlier", () => {
    expect(periodEnd(60n, 30n, 0n)).toBe(90n);
    expect(periodEnd(60n, 30n, 90n)).toBe(90n);
    expect(periodEnd(60n, 30n, 75n)).toBe(75n);
  });

  // program#cancellation-expiry
  it("a cancellation expires at the next boundary, but no later than one second after the plan's end", () => {
    fc.assert(
      fc.property(seconds, allowances, seconds, (start, { length, endTs }, wait) => {
        const now = start + wait;
        const uncapped = cancellationExpiry(start, length, 0n, now);
        if (uncapped === undefined) throw new Error('these numbers fit');
        expect((uncapped - start) % length).toBe(0n);
        expect(uncapped).toBeGreaterThan(now);
        expect(uncapped).toBeLessThanOrEqual(now + length);
        const expected = endTs !== 0n && endTs + 1n < uncapped ? endTs + 1n : uncapped;
        expect(cancellationExpiry(start, length, endTs, now)).toBe(expected);
      }),
    );
  });

  it('an expiry that 64 bits cannot hold is undefined', () => {
    expect(cancellationExpiry(2n ** 63n - 10n, 30n, 0n, 2n ** 63n - 5n)).toBeUndefined();
  });
});
