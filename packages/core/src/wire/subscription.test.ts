import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { MADE_AT, aCheckout, aPlan, aSubscription } from '../testing/records.js';
import { periodFrom } from '../rules/billing-periods.js';
import { subscriptionWire } from './subscription.js';

const plan = aPlan();
const at = { plan, tier: TIERS.business, now: MADE_AT };
const { start, end } = periodFrom(MADE_AT, plan);

// access#period-dates
describe('the dates of the period paid last', () => {
  it('are null before the first payment', () => {
    expect(subscriptionWire(aCheckout({ planId: plan.id }), at)).toMatchObject({
      current_period_start: null,
      current_period_end: null,
    });
  });

  it.each(['active', 'unpaid', 'stopped', 'ended'] as const)(
    'are its bounds on a subscription that is %s',
    (status) => {
      const subscription = aSubscription({ planId: plan.id, status, nextTryAt: null });
      expect(subscriptionWire(subscription, at)).toMatchObject({
        current_period_start: start.toISOString(),
        current_period_end: end.toISOString(),
      });
    },
  );
});

// cancel-resume-close#stop-reason-only-while-stopped
describe('the stop reason', () => {
  it.each([
    ['stopped', 'authority_closed'],
    ['cancelled', null],
    ['ended', null],
    ['superseded', null],
  ] as const)('of one that stopped and is now %s is %s', (status, shown) => {
    const subscription = aSubscription({
      planId: plan.id,
      status,
      stopReason: 'authority_closed',
      cancellation:
        status === 'cancelled' ? { confirmedAt: MADE_AT, expiresAt: end, behind: true, lapse: null } : null,
      nextTryAt: null,
    });
    expect(subscriptionWire(subscription, at)).toMatchObject({ status, stop_reason: shown });
  });
});
