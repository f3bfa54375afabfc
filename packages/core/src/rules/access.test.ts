import { describe, expect, it } from 'vitest';

import type { Plan, Subscription } from '../records/index.js';
import { periodFrom, plus } from './billing-periods.js';
import { blockLeavesAccessUntil, entitlement } from './access.js';
import { TIERS, type Tier } from '../contract/tiers.js';
import { MADE_AT as T0, aCheckout, aPlan, aSubscription } from '../testing/records.js';
import { HOUR, DAY } from '../testing/units-of-time.js';

const plan = aPlan();
const { end: paidEnd } = periodFrom(T0, plan);
const PERIOD = 30 * DAY;
const WAIT = DAY;

const at = (now: Date) => ({ plan, tier: TIERS.business, now });

/** The entitlement in the columns of access#access-by-state and access#charge-and-retry-dates. */
function granted(subscription: Subscription, now: Date, { on = plan, tier = TIERS.business } = {}) {
  const entitled = entitlement(subscription, { plan: on, tier, now });
  return {
    status: `${entitled.status} / ${entitled.paymentStatus}`,
    access: entitled.access,
    until: entitled.accessUntil,
    charge: entitled.nextChargeAt,
    retry: entitled.nextRetryAt,
    number: `${entitled.nextRetryNumber} / ${entitled.retriesAllowed}`,
    deadline: entitled.retryDeadline,
  };
}

const NOTHING = {
  access: false,
  until: null,
  charge: null,
  retry: null,
  number: 'null / null',
  deadline: null,
};

const NO_MANUAL_RETRY = { byHand: { count: 0, lastAt: null }, queuedAt: null };

function late(
  spent: number,
  rejectedAt: Date,
  facts: Partial<Subscription> = {},
  on: Plan = plan,
): Subscription {
  return aSubscription({
    planId: on.id,
    status: 'unpaid',
    late: {
      periodStart: paidEnd,
      graceUntil: plus(rejectedAt, WAIT * (3 - spent)),
      automatic: { spent, allowed: 3, waitMs: WAIT, nextAt: plus(rejectedAt, WAIT) },
      deadline: null,
      ...NO_MANUAL_RETRY,
    },
    nextTryAt: plus(rejectedAt, WAIT),
    ...facts,
  });
}

// access#access-by-state
describe('what a subscription grants at an instant', () => {
  it('a pending subscription grants nothing', () => {
    expect(granted(aCheckout(), T0)).toEqual({ status: 'pending / none', ...NOTHING });
  });

  // access#charge-and-retry-dates
  it('a paid-up subscription has access to the end of the period, where its next charge is due', () => {
    expect(granted(aSubscription({ planId: plan.id }), plus(T0, HOUR))).toEqual({
      ...NOTHING,
      status: 'active / paid',
      access: true,
      until: paidEnd,
      charge: paidEnd,
    });
  });

  // retries#last-two-minutes-of-a-plan
  // access#charge-and-retry-dates
  it('a plan that ends before another charge leaves no next charge', () => {
    const ending = aPlan({ endsAt: plus(paidEnd, 60_000) });
    const entitled = granted(aSubscription({ planId: ending.id }), T0, { on: ending });
    expect(entitled).toMatchObject({ access: true, until: paidEnd, charge: null });
  });

  // access#access-stops-at-the-plan-end
  it('access stops at the end of the plan, even in a paid period', () => {
    const ending = aPlan({ endsAt: plus(paidEnd, -DAY) });
    const subscription = aSubscription({ planId: ending.id });
    expect(granted(subscription, T0, { on: ending })).toMatchObject({
      access: true,
      until: plus(paidEnd, -DAY),
    });
    expect(granted(subscription, plus(paidEnd, -DAY), { on: ending })).toMatchObject({
      access: false,
      until: null,
    });
  });

  // access#access-does-not-blink
  // access#access-stops-at-its-date
  it('access holds while a due charge is not resolved', () => {
    const subscription = aSubscription({ planId: plan.id });
    expect(granted(subscription, plus(paidEnd, -1))).toMatchObject({ access: true, until: paidEnd });
    expect(granted(subscription, paidEnd)).toMatchObject({
      access: true,
      until: plus(paidEnd, PERIOD),
      charge: paidEnd,
    });
    expect(granted(subscription, plus(paidEnd, PERIOD))).toMatchObject({ access: false, until: null });
  });

  // blocks#access-under-a-setup-block
  it("a block by the plan's setup leaves access as long as retries would last, and on Free to the end of the period", () => {
    const blockedReason = 'receiver_account_frozen';
    const blockedUnder = (tier: Tier) =>
      aSubscription({
        planId: plan.id,
        blockedSince: paidEnd,
        blockedReason,
        blockedAccessUntil: blockLeavesAccessUntil(blockedReason, paidEnd, { ...at(paidEnd), tier }),
      });
    const blocked = blockedUnder(TIERS.business);
    expect(granted(blocked, paidEnd)).toMatchObject({
      status: 'active / paid',
      access: true,
      until: plus(paidEnd, 3 * WAIT),
    });
    expect(granted(blocked, plus(paidEnd, 3 * WAIT))).toMatchObject({ access: false, until: null });
    expect(granted(blockedUnder(TIERS.free), paidEnd, { tier: TIERS.free })).toMatchObject({ access: false });
  });

  // blocks#access-under-other-blocks
  it.each(['mint_paused', 'mint_transfer_hook', 'mesub'] as const)(
    'a block by the issuer or the service (%s) leaves access for one period after the paid one',
    (blockedReason) => {
      const blockedAccessUntil = blockLeavesAccessUntil(blockedReason, paidEnd, at(paidEnd));
      const blocked = aSubscription({
        planId: plan.id,
        blockedSince: paidEnd,
        blockedReason,
        blockedAccessUntil,
      });
      expect(granted(blocked, paidEnd)).toMatchObject({ access: true, until: plus(paidEnd, PERIOD) });
    },
  );

  // access#grace-while-unpaid
  // access#charge-and-retry-dates
  it('a late subscription has access while automatic retries are left, and shows the number of the next one', () => {
    expect(granted(late(0, paidEnd), plus(paidEnd, 1))).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      access: true,
      until: plus(paidEnd, 3 * WAIT),
      retry: plus(paidEnd, WAIT),
      number: '1 / 3',
    });
    const secondRejection = plus(paidEnd, 2 * WAIT);
    expect(granted(late(2, secondRejection), plus(secondRejection, 1))).toMatchObject({
      until: plus(secondRejection, WAIT),
      number: '3 / 3',
    });
  });

  // access#access-does-not-blink
  // access#last-retry-holds-access
  it('access lasts to the end of the unpaid period once the last retry is due and not resolved', () => {
    const secondRejection = plus(paidEnd, 2 * WAIT);
    expect(granted(late(2, secondRejection), plus(secondRejection, WAIT))).toMatchObject({
      access: true,
      until: plus(paidEnd, PERIOD),
    });
  });

  // access#grace-while-unpaid
  // access#charge-and-retry-dates
  it('a late subscription whose plan ends before the next retry has access until the plan ends, and no retry', () => {
    const endsAt = plus(paidEnd, 2 * HOUR);
    const ending = aPlan({ endsAt });
    const subscription = late(0, paidEnd, { nextTryAt: plus(endsAt, 1000) }, ending);
    expect(granted(subscription, plus(paidEnd, 1), { on: ending })).toMatchObject({
      access: true,
      until: endsAt,
      retry: null,
      number: 'null / 3',
    });
  });

  // access#no-grace-on-free
  // retries#retry-deadline-on-free
  it('a late subscription on Free has no access, and a deadline for manual retries', () => {
    const deadline = plus(paidEnd, PERIOD - 120_000);
    const subscription = aSubscription({
      planId: plan.id,
      status: 'unpaid',
      late: { periodStart: paidEnd, graceUntil: null, automatic: null, deadline, ...NO_MANUAL_RETRY },
      nextTryAt: null,
    });
    expect(granted(subscription, plus(paidEnd, 1), { tier: TIERS.free })).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      deadline,
    });
  });

  // blocks#block-while-unpaid
  it('a late subscription that is blocked has access to the end of its grace or of its block, the later one', () => {
    const blocked = late(2, plus(paidEnd, 2 * WAIT), {
      blockedSince: plus(paidEnd, 3 * WAIT),
      blockedReason: 'mint_paused',
      blockedAccessUntil: plus(paidEnd, PERIOD),
    });
    expect(granted(blocked, plus(paidEnd, 2 * WAIT + 1))).toMatchObject({
      access: true,
      until: plus(paidEnd, PERIOD),
    });
  });

  // cancel-resume-close#cancel-while-paid-up
  it('a subscription cancelled while paid up has access to the end of the period, and is closable from the expiry', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: paidEnd, behind: false, lapse: null },
    });
    expect(granted(cancelled, T0)).toEqual({
      ...NOTHING,
      status: 'cancelled / paid',
      access: true,
      until: paidEnd,
    });
    expect(entitlement(cancelled, at(T0))).toMatchObject({ closable: false, closableFrom: paidEnd });
  });

  // cancel-resume-close#reads-at-the-expiry
  it('a cancelled subscription has access to its expiry only, even when it has paid until later', () => {
    const expiresAt = plus(paidEnd, -DAY);
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt, behind: false, lapse: null },
    });
    expect(granted(cancelled, T0)).toMatchObject({ access: true, until: expiresAt });
    expect(granted(cancelled, expiresAt)).toMatchObject({
      status: 'ended / none',
      access: false,
      until: null,
    });
  });

  // cancel-resume-close#cancel-while-behind
  it('a subscription cancelled while behind has no access, and is closable from the expiry, not from the paid end', () => {
    const expiresAt = plus(paidEnd, PERIOD);
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: plus(paidEnd, HOUR), expiresAt, behind: true, lapse: null },
    });
    expect(granted(cancelled, plus(paidEnd, HOUR))).toEqual({ ...NOTHING, status: 'cancelled / none' });
    expect(entitlement(cancelled, at(plus(paidEnd, HOUR))).closableFrom).toEqual(expiresAt);
  });

  // cancel-resume-close#reads-at-the-expiry
  it('a cancelled subscription reads as ended from its expiry on, before that is stored', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: paidEnd, behind: false, lapse: null },
    });
    const entitled = entitlement(cancelled, at(paidEnd));
    expect(entitled).toMatchObject({
      status: 'ended',
      endReason: 'cancelled',
      access: false,
      closable: true,
    });
    expect(entitled.paymentStatus).toBe('none');
  });

  // invariants#no-access-once-ended
  it.each(['ended', 'stopped', 'failed', 'expired', 'superseded'] as const)(
    'a subscription that is %s grants nothing',
    (status) => {
      const over = aSubscription({ planId: plan.id, status, nextTryAt: null });
      expect(granted(over, T0)).toEqual({ ...NOTHING, status: `${status} / none` });
    },
  );

  // seats-and-tiers#parked-subscription-as-read
  it('a parked subscription has access to the end of the paid period, and no charge', () => {
    const parked = aSubscription({ planId: plan.id, pausedAt: T0 });
    expect(granted(parked, T0)).toEqual({
      ...NOTHING,
      status: 'active / none',
      access: true,
      until: paidEnd,
    });
    expect(granted(parked, paidEnd)).toEqual({ ...NOTHING, status: 'active / none' });
  });

  // access#access-without-signed-terms
  it('a subscription without signed terms has access to the end of the paid period, and shows no payment', () => {
    const unsigned = aSubscription({ planId: plan.id, termsSigned: false });
    expect(granted(unsigned, T0)).toEqual({
      ...NOTHING,
      status: 'active / none',
      access: true,
      until: paidEnd,
    });
  });
});

// cancel-resume-close#closable-flag-and-date
describe('whether a subscription can be closed, as last known', () => {
  const closable = (facts: Partial<Subscription>) =>
    entitlement(aSubscription({ planId: plan.id, nextTryAt: null, ...facts }), at(T0)).closable;

  it.each([
    [{ status: 'stopped', stopReason: 'authority_closed' }, true],
    [{ status: 'stopped', stopReason: 'out_of_retries' }, false],
    [{ status: 'stopped', stopReason: 'retry_deadline_passed' }, false],
    [{ status: 'ended', endReason: 'cancelled' }, true],
    [{ status: 'ended', endReason: 'plan_ended' }, true],
    [{ status: 'ended', endReason: 'plan_removed' }, true],
    [{ status: 'ended', endReason: 'plan_replaced' }, true],
    [{ status: 'ended', endReason: 'closed' }, false],
    [{ status: 'ended', endReason: 'closed_elsewhere' }, false],
    [{ status: 'ended', endReason: 'plan_ended', closedAt: T0 }, false],
  ] satisfies [Partial<Subscription>, boolean][])('%o: %s', (facts, expected) => {
    expect(closable(facts)).toBe(expected);
  });
});
