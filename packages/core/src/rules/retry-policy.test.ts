import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { MADE_AT, aPlan } from '../testing/records.js';
import { plus } from './billing-periods.js';
import { manualRetriesLeft, retryPolicy } from './retry-policy.js';
import { HOUR, MINUTE } from '../testing/units-of-time.js';

describe('the retry policy', () => {
  // retries#default-retry-policy
  it.each([
    [720, 24],
    [96, 24],
    [24, 6],
    [1, 0.25],
  ])('of a plan of %s hours is three retries, %s hours apart', (periodHours, hours) => {
    const plan = aPlan({ periodHours });
    expect(retryPolicy(plan, TIERS.business)).toEqual({ attempts: 3, waitMs: hours * HOUR });
    expect(retryPolicy(plan, TIERS.dev)).toEqual({ attempts: 3, waitMs: hours * HOUR });
  });

  // retries#retry-policy-of-a-plan
  it("is the plan's own where it has one", () => {
    const own = { attempts: 5, waitMs: HOUR };
    expect(retryPolicy(aPlan({ retryPolicy: own }), TIERS.business)).toEqual(own);
  });

  // retries#retry-policy-on-free
  it('is none on Free, where the policy of a plan is not applied', () => {
    const own = { attempts: 5, waitMs: HOUR };
    expect(retryPolicy(aPlan({ retryPolicy: own }), TIERS.free)).toBeNull();
    expect(retryPolicy(aPlan(), TIERS.free)).toBeNull();
  });
});

// retries#manual-retries-on-free, retries#retry-deadline-on-free, retries#last-two-minutes-of-a-plan
describe('the manual retries that are left on Free', () => {
  const at = (minute: number) => plus(MADE_AT, minute * MINUTE);

  /** Now is minute 0. */
  it.each<[string, number, number | null, number | null, number | null, number]>([
    ['before the first', 0, null, 60, null, 3],
    ['in the last moment before the deadline', 0, null, 1, null, 3],
    ['at the deadline, before the first', 0, null, 0, null, 0],
    ['after the deadline, before the first', 0, null, -1, null, 0],
    ['after one', 1, 0, 60, null, 2],
    ['after one whose wait ends at the deadline', 1, -5, 5, null, 0],
    ['after one whose wait is over, until the deadline', 1, -30, 5, null, 2],
    ['after one whose wait ended before the deadline, which has passed', 1, -30, 0, null, 0],
    ['before the first, in the last two minutes of the plan', 0, null, 2, 2, 0],
    ['after one whose wait ends in the last two minutes of the plan', 1, 0, 12, 12, 0],
    ['after the third', 3, -30, 60, null, 0],
    ['after more than three', 4, -30, 60, null, 0],
    ['after a deadline that passed unnoticed', 0, null, null, null, 0],
  ])('%s', (_, count, last, deadline, planEnd, left) => {
    const late = {
      byHand: { count, lastAt: last === null ? null : at(last) },
      deadline: deadline === null ? null : at(deadline),
    };
    const plan = aPlan({ endsAt: planEnd === null ? null : at(planEnd) });
    expect(manualRetriesLeft(late, { plan, now: at(0) })).toBe(left);
  });
});
