import { describe, expect, it } from 'vitest';

import { MADE_AT as ANCHOR, aPlan } from '../testing/records.js';
import { periodAt, periodPaidAt, plus } from './billing-periods.js';
import { DAY } from '../testing/units-of-time.js';

const PERIOD = 30 * DAY;
const plan = aPlan({ periodHours: 720 });

describe('the billing grid', () => {
  // billing-periods#billing-grid
  it.each([
    [0, 0],
    [PERIOD - 1, 0],
    [PERIOD, 1],
    [100 * PERIOD + 1, 100],
    [-1, -1],
  ])('holds an instant %s ms after the anchor in period %s', (after, period) => {
    expect(periodAt(ANCHOR, plan, plus(ANCHOR, after))).toEqual({
      start: plus(ANCHOR, period * PERIOD),
      end: plus(ANCHOR, (period + 1) * PERIOD),
    });
  });
});

describe('the period that a payment pays', () => {
  const boundary = plus(ANCHOR, PERIOD);

  // billing-periods#payment-past-a-boundary
  it('is the one in which it lands, even when it was signed for an earlier one', () => {
    expect(periodPaidAt(plan, boundary, plus(boundary, PERIOD - 1000))).toEqual(boundary);
    expect(periodPaidAt(plan, boundary, plus(boundary, PERIOD))).toEqual(plus(boundary, PERIOD));
  });

  // billing-periods#payment-past-a-boundary
  it('is the last one that the plan opened when it lands at the end of the plan', () => {
    const ending = { ...plan, endsAt: plus(boundary, PERIOD) };
    expect(periodPaidAt(ending, boundary, plus(boundary, PERIOD))).toEqual(boundary);
  });
});
