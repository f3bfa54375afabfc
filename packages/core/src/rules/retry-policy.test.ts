import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { aPlan } from '../testing/records.js';
import { retryPolicy } from './retry-policy.js';

const HOUR = 3_600_000;

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
