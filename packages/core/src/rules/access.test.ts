import { describe, expect, it } from 'vitest';

import type { Plan, Subscription } from '../records/index.js';
import { periodFrom, plus } from './billing-periods.js';
import { entitlement } from './access.js';
import { TIERS } from '../contract/tiers.js';
import { MADE_AT as T0, aCheckout, aPlan, aSubscription } from '../testing/records.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const plan = aPlan();
const { end: E0 } = periodFrom(T0, plan);
const P = 30 * DAY;
const W = DAY;

const at = (now: Date) => ({ plan, tier: TIERS.business, now });

/** The columns of access#access-by-state and access#charge-and-retry-dates. */
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
      periodStart: E0,
      rejectedAt,
      automatic: { spent, allowed: 3, waitMs: W, nextAt: plus(rejectedAt, W) },
      deadline: null,
      ...NO_MANUAL_RETRY,
    },
    nextTryAt: plus(rejectedAt, W),
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
      until: E0,
      charge: E0,
    });
  });

  // retries#last-two-minutes-of-a-plan
  // access#charge-and-retry-dates
  it('a plan that ends before another charge leaves no next charge', () => {
    const ending = aPlan({ endsAt: plus(E0, 60_000) });
    const entitled = granted(aSubscription({ planId: ending.id }), T0, { on: ending });
    expect(entitled).toMatchObject({ access: true, until: E0, charge: null });
  });

  // access#access-stops-at-the-plan-end
  it('access stops at the end of the plan, even in a paid period', () => {
    const ending = aPlan({ endsAt: plus(E0, -DAY) });
    const subscription = aSubscription({ planId: ending.id });
    expect(granted(subscription, T0, { on: ending })).toMatchObject({ access: true, until: plus(E0, -DAY) });
    expect(granted(subscription, plus(E0, -DAY), { on: ending })).toMatchObject({
      access: false,
      until: null,
    });
  });

  // access#access-does-not-blink
  // access#access-stops-at-its-date
  it('access holds while a due charge is not resolved', () => {
    const subscription = aSubscription({ planId: plan.id });
    expect(granted(subscription, plus(E0, -1))).toMatchObject({ access: true, until: E0 });
    expect(granted(subscription, E0)).toMatchObject({ access: true, until: plus(E0, P), charge: E0 });
    expect(granted(subscription, plus(E0, P))).toMatchObject({ access: false, until: null });
  });

  // blocks#access-under-a-setup-block
  it("a block by the plan's setup leaves access as long as retries would last, and on Free to the end of the period", () => {
    const blocked = aSubscription({
      planId: plan.id,
      blockedSince: E0,
      blockedReason: 'receiver_account_frozen',
    });
    expect(granted(blocked, E0)).toMatchObject({
      status: 'active / paid',
      access: true,
      until: plus(E0, 3 * W),
    });
    expect(granted(blocked, plus(E0, 3 * W))).toMatchObject({ access: false, until: null });
    expect(granted(blocked, E0, { tier: TIERS.free })).toMatchObject({ access: false });
  });

  // blocks#access-under-other-blocks
  it.each(['mint_paused', 'mint_transfer_hook', 'mesub'] as const)(
    'a block by the issuer or the service (%s) leaves access for one more period',
    (blockedReason) => {
      const blocked = aSubscription({ planId: plan.id, blockedSince: E0, blockedReason });
      expect(granted(blocked, E0)).toMatchObject({ access: true, until: plus(E0, P) });
    },
  );

  // access#grace-while-unpaid
  // access#charge-and-retry-dates
  it('a late subscription has access while automatic retries are left, and shows the number of the next one', () => {
    expect(granted(late(0, E0), plus(E0, 1))).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      access: true,
      until: plus(E0, 3 * W),
      retry: plus(E0, W),
      number: '1 / 3',
    });
    const F2 = plus(E0, 2 * W);
    expect(granted(late(2, F2), plus(F2, 1))).toMatchObject({ until: plus(F2, W), number: '3 / 3' });
  });

  // access#access-does-not-blink
  // access#last-retry-holds-access
  it('access holds from the date of the last retry until that retry is resolved', () => {
    const F2 = plus(E0, 2 * W);
    expect(granted(late(2, F2), plus(F2, W))).toMatchObject({ access: true, until: plus(E0, P) });
  });

  // access#grace-while-unpaid
  // access#charge-and-retry-dates
  it('a late subscription whose plan ends before the next retry has access to that end, and no retry', () => {
    const endsAt = plus(E0, 2 * HOUR);
    const ending = aPlan({ endsAt });
    const subscription = late(0, E0, { nextTryAt: plus(endsAt, 1000) }, ending);
    expect(granted(subscription, plus(E0, 1), { on: ending })).toMatchObject({
      access: true,
      until: endsAt,
      retry: null,
      number: 'null / 3',
    });
  });

  // access#no-grace-on-free
  // retries#retry-deadline-on-free
  it('a late subscription on Free has no access, and a deadline for manual retries', () => {
    const deadline = plus(E0, P - 120_000);
    const subscription = aSubscription({
      planId: plan.id,
      status: 'unpaid',
      late: { periodStart: E0, rejectedAt: E0, automatic: null, deadline, ...NO_MANUAL_RETRY },
      nextTryAt: null,
    });
    expect(granted(subscription, plus(E0, 1), { tier: TIERS.free })).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      deadline,
    });
  });

  // blocks#block-while-unpaid
  it('a block while late applies the later of the two dates', () => {
    const blocked = late(2, plus(E0, 2 * W), { blockedSince: plus(E0, 3 * W), blockedReason: 'mint_paused' });
    expect(granted(blocked, plus(E0, 2 * W + 1))).toMatchObject({ access: true, until: plus(E0, P) });
  });

  // cancel-resume-close#cancel-while-paid-up
  it('one cancelled while paid up has access to the end of the period, and is closable from the expiry', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: E0, behind: false },
    });
    expect(granted(cancelled, T0)).toEqual({
      ...NOTHING,
      status: 'cancelled / paid',
      access: true,
      until: E0,
    });
    expect(entitlement(cancelled, at(T0))).toMatchObject({
      closable: false,
      closableFrom: E0,
    });
  });

  // cancel-resume-close#cancel-while-behind
  it('one cancelled while behind has no access, and is closable from the expiry and not from the paid end', () => {
    const expiresAt = plus(E0, P);
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: plus(E0, HOUR), expiresAt, behind: true },
    });
    expect(granted(cancelled, plus(E0, HOUR))).toEqual({ ...NOTHING, status: 'cancelled / none' });
    expect(entitlement(cancelled, at(plus(E0, HOUR))).closableFrom).toEqual(expiresAt);
  });

  // cancel-resume-close#reads-at-the-expiry
  it('a cancelled one reads ended from its expiry on, before that is stored', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: E0, behind: false },
    });
    const entitled = entitlement(cancelled, at(E0));
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
  it('a parked one has access to the end of the paid period, and no charge', () => {
    const parked = aSubscription({ planId: plan.id, pausedAt: T0 });
    expect(granted(parked, T0)).toEqual({ ...NOTHING, status: 'active / none', access: true, until: E0 });
    expect(granted(parked, E0)).toEqual({ ...NOTHING, status: 'active / none' });
  });

  // access#access-without-signed-terms
  it('one without signed terms has access to the end of the paid period, and shows no payment', () => {
    const unsigned = aSubscription({ planId: plan.id, termsSigned: false });
    expect(granted(unsigned, T0)).toEqual({ ...NOTHING, status: 'active / none', access: true, until: E0 });
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
