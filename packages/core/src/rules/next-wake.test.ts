import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { MADE_AT, aCheckout, aPlan, aSubscription } from '../testing/records.js';
import { entitlement } from './access.js';
import { periodFrom, plus } from './billing-periods.js';
import { nextWakeAt } from './next-wake.js';
import { MINUTE, DAY } from '../testing/units-of-time.js';

const plan = aPlan();
const { end: paidEnd } = periodFrom(MADE_AT, plan);
const at = (now: Date) => ({ plan, tier: TIERS.business, now });

// invariants#timed-work-has-a-wake-date
describe('the next wake of a subscription', () => {
  it('is the notice of the renewal of one that is paid up, and then its next charge', () => {
    const paidUp = aSubscription({ nextTryAt: paidEnd });
    expect(nextWakeAt(paidUp, at(MADE_AT))).toEqual(plus(paidEnd, -3 * DAY));
    const noticed = { ...paidUp, renewalNoticeNotBefore: paidEnd };
    expect(nextWakeAt(noticed, at(plus(paidEnd, -2 * DAY)))).toEqual(paidEnd);
  });

  // blocks#access-under-a-setup-block
  it('is the end of access while the plan blocks charges, when the next try comes after it', () => {
    const now = plus(paidEnd, DAY);
    const blocked = aSubscription({
      blockedSince: paidEnd,
      blockedReason: 'receiver_account_missing',
      blockedAccessUntil: plus(paidEnd, 3 * DAY),
      nextTryAt: plus(paidEnd, 20 * DAY),
    });
    const { access, accessUntil } = entitlement(blocked, at(now));
    expect(access).toBe(true);
    expect(accessUntil?.getTime()).toBeLessThan(plus(paidEnd, 20 * DAY).getTime());
    expect(nextWakeAt(blocked, at(now))).toEqual(accessUntil);
  });

  it('is now when the access announced last is no longer true', () => {
    const now = plus(paidEnd, 400 * DAY);
    const stopped = aSubscription({ status: 'stopped', stopReason: 'out_of_retries', nextTryAt: null });
    expect(nextWakeAt(stopped, at(now))).toEqual(now);
  });

  it('is the expiry of a checkout, unless a transfer has to be resolved first', () => {
    const checkout = aCheckout({ nextTryAt: null });
    const poll = plus(MADE_AT, 40 * MINUTE);
    expect(nextWakeAt(checkout, at(MADE_AT))).toEqual(checkout.checkoutExpiresAt);
    expect(nextWakeAt({ ...checkout, nextTryAt: poll }, at(MADE_AT))).toEqual(poll);
  });
});
