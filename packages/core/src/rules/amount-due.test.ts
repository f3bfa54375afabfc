import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SubscriptionView } from '../ports/index.js';
import { amountDueAt } from './amount-due.js';

const HOUR_MS = 3_600_000;
const atHour = (at: number) => new Date(at * HOUR_MS);

/** The amount owed by a vector of program#period-arithmetic, in hours for seconds: its period is 30. */
function owed(start: number, pulled: number, end: number | null, now: number) {
  const view: SubscriptionView = {
    generation: 1n,
    planCreatedAt: new Date(0),
    payer: '',
    amount: 100n,
    periodHours: 30,
    periodStart: atHour(start),
    pulled: BigInt(pulled),
    expiresAt: null,
  };
  const { periodStart, amount } = amountDueAt(view, end === null ? null : atHour(end), atHour(now));
  return [periodStart.getTime() / HOUR_MS, Number(amount)];
}

// program#period-arithmetic
describe('what the current period owes', () => {
  it.each([
    [0, 100, null, 90, [90, 100]],
    [0, 100, 90, 35, [30, 100]],
    [0, 100, 90, 90, [60, 100]],
    [60, 100, 90, 90, [60, 0]],
    [0, 100, 60, 60, [30, 100]],
    [0, 60, null, 29, [0, 40]],
    [0, 100, null, 30, [30, 100]],
  ] as const)('start %s, pulled %s, end %s, now %s: %o', (start, pulled, end, now, expected) => {
    expect(owed(start, pulled, end, now)).toEqual([...expected]);
  });

  it('never leaves the grid, never opens a period past the end, and never owes more than the price', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.nat(100),
        fc.option(fc.nat(3000)),
        fc.nat(3000),
        (start, pulled, end, later) => {
          const [opened = 0, amount = 0] = owed(start, pulled, end, start + later);
          expect((opened - start) % 30).toBe(0);
          expect(opened).toBeGreaterThanOrEqual(start);
          if (opened > start && end !== null) expect(opened).toBeLessThan(end);
          expect(amount).toBeLessThanOrEqual(100);
          expect(amount).toBe(opened > start ? 100 : 100 - pulled);
        },
      ),
    );
  });
});
