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

/** access#access-by-state: access, access_until, next_charge_at, next_retry_at, number / allowed, deadline. */
function row(subscription: Subscription, now: Date, { on = plan, tier = TIERS.business } = {}) {
  const stands = entitlement(subscription, { plan: on, tier, now });
  return {
    status: `${stands.status} / ${stands.paymentStatus}`,
    access: stands.access,
    until: stands.accessUntil,
    charge: stands.nextChargeAt,
    retry: stands.nextRetryAt,
    number: `${stands.nextRetryNumber} / ${stands.retriesAllowed}`,
    deadline: stands.retryDeadline,
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

const NOT_BY_HAND = { byHand: { count: 0, lastAt: null }, queuedAt: null };

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
      ...NOT_BY_HAND,
    },
    nextTryAt: plus(rejectedAt, W),
    ...facts,
  });
}

describe('access#access-by-state: what a subscription is worth at an instant', () => {
  it('pending: nothing', () => {
    expect(row(aCheckout(), T0)).toEqual({ status: 'pending / none', ...NOTHING });
  });

  it('paid up: access to the end of the period, and the next charge there', () => {
    expect(row(aSubscription({ planId: plan.id }), plus(T0, HOUR))).toEqual({
      ...NOTHING,
      status: 'active / paid',
      access: true,
      until: E0,
      charge: E0,
    });
  });

  it('paid up on a plan that ends before another charge: no next charge (retries#last-two-minutes-of-a-plan)', () => {
    const ending = aPlan({ endsAt: plus(E0, 60_000) });
    const stands = row(aSubscription({ planId: ending.id }), T0, { on: ending });
    expect(stands).toMatchObject({ access: true, until: E0, charge: null });
  });

  it('paid up past the end of the plan: access stops there', () => {
    const ending = aPlan({ endsAt: plus(E0, -DAY) });
    const subscription = aSubscription({ planId: ending.id });
    expect(row(subscription, T0, { on: ending })).toMatchObject({ access: true, until: plus(E0, -DAY) });
    expect(row(subscription, plus(E0, -DAY), { on: ending })).toMatchObject({ access: false, until: null });
  });

  it('due and not resolved: access does not blink (access#access-does-not-blink)', () => {
    const subscription = aSubscription({ planId: plan.id });
    expect(row(subscription, plus(E0, -1))).toMatchObject({ access: true, until: E0 });
    expect(row(subscription, E0)).toMatchObject({ access: true, until: plus(E0, P), charge: E0 });
    expect(row(subscription, plus(E0, P))).toMatchObject({ access: false, until: null });
  });

  it("blocked by the plan's setup: access as long as the retries would have lasted; on Free to the end of the period", () => {
    const blocked = aSubscription({
      planId: plan.id,
      blockedSince: E0,
      blockedReason: 'receiver_account_frozen',
    });
    expect(row(blocked, E0)).toMatchObject({ status: 'active / paid', access: true, until: plus(E0, 3 * W) });
    expect(row(blocked, plus(E0, 3 * W))).toMatchObject({ access: false, until: null });
    expect(row(blocked, E0, { tier: TIERS.free })).toMatchObject({ access: false });
  });

  it.each(['mint_paused', 'mint_transfer_hook', 'mesub'] as const)(
    'blocked by the issuer or the service (%s): access to the end of the period after',
    (blockedReason) => {
      const blocked = aSubscription({ planId: plan.id, blockedSince: E0, blockedReason });
      expect(row(blocked, E0)).toMatchObject({ access: true, until: plus(E0, P) });
    },
  );

  it('late: access to the last retry, which comes next and has its number', () => {
    expect(row(late(0, E0), plus(E0, 1))).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      access: true,
      until: plus(E0, 3 * W),
      retry: plus(E0, W),
      number: '1 / 3',
    });
    const F2 = plus(E0, 2 * W);
    expect(row(late(2, F2), plus(F2, 1))).toMatchObject({ until: plus(F2, W), number: '3 / 3' });
  });

  it('from the date of a last retry until it is resolved, access holds (access#access-does-not-blink)', () => {
    const F2 = plus(E0, 2 * W);
    expect(row(late(2, F2), plus(F2, W))).toMatchObject({ access: true, until: plus(E0, P) });
  });

  it('late on a plan that ends before the next retry: access to that end, and no retry', () => {
    const endsAt = plus(E0, 2 * HOUR);
    const ending = aPlan({ endsAt });
    const subscription = late(0, E0, { nextTryAt: plus(endsAt, 1000) }, ending);
    expect(row(subscription, plus(E0, 1), { on: ending })).toMatchObject({
      access: true,
      until: endsAt,
      retry: null,
      number: 'null / 3',
    });
  });

  it('late on Free: no access, and a deadline for retries by hand', () => {
    const deadline = plus(E0, P - 120_000);
    const subscription = aSubscription({
      planId: plan.id,
      status: 'unpaid',
      late: { periodStart: E0, rejectedAt: E0, automatic: null, deadline, ...NOT_BY_HAND },
      nextTryAt: null,
    });
    expect(row(subscription, plus(E0, 1), { tier: TIERS.free })).toEqual({
      ...NOTHING,
      status: 'unpaid / late',
      deadline,
    });
  });

  it('blocked while late: the later of the two dates stands (blocks#block-while-unpaid)', () => {
    const blocked = late(2, plus(E0, 2 * W), { blockedSince: plus(E0, 3 * W), blockedReason: 'mint_paused' });
    expect(row(blocked, plus(E0, 2 * W + 1))).toMatchObject({ access: true, until: plus(E0, P) });
  });

  it('cancelled while paid up: access to the end of the period, closable from the expiry', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: E0, behind: false },
    });
    expect(row(cancelled, T0)).toEqual({ ...NOTHING, status: 'cancelled / paid', access: true, until: E0 });
    expect(entitlement(cancelled, at(T0))).toMatchObject({
      closable: false,
      closableFrom: E0,
    });
  });

  it('cancelled while behind: no access, nothing paid, closable from the expiry and not from the paid end (cancel-resume-close#cancel-while-behind)', () => {
    const expiresAt = plus(E0, P);
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: plus(E0, HOUR), expiresAt, behind: true },
    });
    expect(row(cancelled, plus(E0, HOUR))).toEqual({ ...NOTHING, status: 'cancelled / none' });
    expect(entitlement(cancelled, at(plus(E0, HOUR))).closableFrom).toEqual(expiresAt);
  });

  it('reads ended from the expiry of a cancellation on, before it is written (cancel-resume-close#reads-at-the-expiry)', () => {
    const cancelled = aSubscription({
      planId: plan.id,
      status: 'cancelled',
      cancellation: { confirmedAt: T0, expiresAt: E0, behind: false },
    });
    const stands = entitlement(cancelled, at(E0));
    expect(stands).toMatchObject({ status: 'ended', endReason: 'cancelled', access: false, closable: true });
    expect(stands.paymentStatus).toBe('none');
  });

  it.each(['ended', 'stopped', 'failed', 'expired', 'superseded'] as const)('%s: nothing', (status) => {
    const over = aSubscription({ planId: plan.id, status, nextTryAt: null });
    expect(row(over, T0)).toEqual({ ...NOTHING, status: `${status} / none` });
  });

  it('parked: access to the end of the paid period, and no charge (seats-and-tiers#parked-subscription-as-read)', () => {
    const parked = aSubscription({ planId: plan.id, pausedAt: T0 });
    expect(row(parked, T0)).toEqual({ ...NOTHING, status: 'active / none', access: true, until: E0 });
    expect(row(parked, E0)).toEqual({ ...NOTHING, status: 'active / none' });
  });

  it('without signed terms: access to the end of the paid period, and nothing paid', () => {
    const unsigned = aSubscription({ planId: plan.id, termsSigned: false });
    expect(row(unsigned, T0)).toEqual({ ...NOTHING, status: 'active / none', access: true, until: E0 });
  });
});

describe('cancel-resume-close#closable-flag-and-date: closable, as last known', () => {
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
