import { describe, expect, it } from 'vitest';

import { TIERS } from '../../contract/tiers.js';
import type { Plan, Subscription } from '../../records/index.js';
import { entitlement } from '../../rules/access.js';
import { periodFrom, plus } from '../../rules/billing-periods.js';
import { MADE_AT as T0, aPlan, aSubscription } from '../../testing/records.js';
import type { Change } from '../change.js';
import type { Transition } from '../transition.js';
import { change } from './checked-change.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const plan = aPlan();
const { end: due } = periodFrom(T0, plan);
const { end: nextDue } = periodFrom(due, plan);
const paidUp = aSubscription({ planId: plan.id });

function rejected(periodStart = due): Transition {
  return { kind: 'rejected', reason: 'insufficient_balance', amount: plan.amount, periodStart };
}

function changed(
  before: Subscription,
  transition: Transition,
  now: Date,
  on: Plan = plan,
  tier = TIERS.business,
): Change {
  return change(before, transition, { plan: on, tier, now });
}

describe('automatic retries', () => {
  // retries#policy-change
  it('keep the number and the wait they began with when the policy of the plan changes', () => {
    const { after: late } = changed(paidUp, rejected(), due);
    const patient = { ...plan, retryPolicy: { attempts: 10, waitMs: 2 * DAY } };
    const second = plus(due, DAY);
    const { after } = changed(late, rejected(), second, patient);
    expect(after.late?.automatic).toEqual({ spent: 1, allowed: 3, waitMs: DAY, nextAt: plus(second, DAY) });
    const { after: other } = changed(paidUp, rejected(), due, patient);
    expect(other.late?.automatic).toMatchObject({ allowed: 10, waitMs: 2 * DAY });
  });

  // retries#second-missed-period
  it('start again when the charge of a second missed period is rejected', () => {
    const { after: late } = changed(paidUp, rejected(), due);
    const { after } = changed(late, rejected(nextDue), nextDue);
    expect(after.late).toMatchObject({
      periodStart: nextDue,
      rejectedAt: nextDue,
      automatic: { spent: 0, allowed: 3, nextAt: plus(nextDue, DAY) },
    });
  });
});

describe('manual retries', () => {
  // retries#manual-retries-on-free, attempts#attempt-retry-fields
  it('carry the numbers 1 to 3 on Free, and raise no retry mode once they are spent', () => {
    let { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
    for (const [number, mode] of [
      [1, 'manual'],
      [2, 'manual'],
      [3, null],
    ] as const) {
      const now = plus(due, number * 10 * MINUTE);
      const { after: queued } = changed(late, { kind: 'retry_queued' }, now, plan, TIERS.free);
      const failed = changed(queued, rejected(), now, plan, TIERS.free);
      expect(failed.attempt).toMatchObject({ retry: true, retryNumber: number, retriesAllowed: 3 });
      expect(failed.events[0]?.detail).toMatchObject({ retries_left: 3 - number, retry_mode: mode });
      late = failed.after;
    }
    expect(late).toMatchObject({ status: 'unpaid', wakeAt: plus(nextDue, -2 * MINUTE) });
  });

  // retries#manual-retries-on-dev-and-business, invariants#only-rejections-spend-retries
  it('carry no number on other tiers, and spend no automatic retry', () => {
    const { after: late } = changed(paidUp, rejected(), due);
    const now = plus(due, MINUTE);
    const { after: queued } = changed(late, { kind: 'retry_queued' }, now);
    const { after, attempt } = changed(queued, rejected(), now);
    expect(attempt).toMatchObject({ retry: true, retryNumber: null, retriesAllowed: null });
    expect(after.late?.automatic).toMatchObject({ spent: 0, nextAt: plus(due, DAY) });
  });

  // retries#retry-deadline-on-free
  it('put off the deadline while one is queued, until its outcome is known', () => {
    const deadline = plus(nextDue, -2 * MINUTE);
    const { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
    expect(late.wakeAt).toEqual(deadline);
    const queuedAt = plus(deadline, -1);
    const { after: queued } = changed(late, { kind: 'retry_queued' }, queuedAt, plan, TIERS.free);
    expect(queued.wakeAt).toEqual(queuedAt);
  });
});

describe('a try without a charge', () => {
  // attempts#period-already-paid, blocks#what-ends-a-block
  it('records an attempt of amount 0 for a period that is paid already, and clears a block', () => {
    const blocked = { ...paidUp, blockedSince: due, blockedReason: 'mesub' } as const;
    const { after, attempt } = changed(blocked, { kind: 'already_paid', periodStart: due }, due);
    expect(attempt).toMatchObject({ outcome: 'skipped', reason: 'period_already_paid', amount: 0n });
    expect(after).toMatchObject({
      paidPeriodStart: due,
      paidPeriodEnd: nextDue,
      blockedSince: null,
      paidCount: 1,
    });
  });

  // attempts#cancelled-outside-the-service, attempts#one-attempt-per-try
  it('records no attempt for a cancellation that was made outside the service', () => {
    const { after, attempt, events } = changed(
      paidUp,
      { kind: 'cancelled', expiresAt: nextDue, nextTryAt: nextDue },
      due,
    );
    expect(attempt).toBeNull();
    expect(after).toMatchObject({ status: 'cancelled', confirmedAt: paidUp.confirmedAt });
    expect(events.map(({ type }) => type)).toContain('subscription.cancelled');
  });

  // attempts#one-attempt-per-try
  it.each([{ kind: 'poll_scheduled', nextTryAt: nextDue }, { kind: 'rescheduled' }] as const)(
    'records no attempt when nothing was decided ($kind)',
    (transition) => {
      expect(changed(paidUp, transition, due)).toMatchObject({ attempt: null, events: [] });
    },
  );

  // attempts#attempt-amount, attempts#attempt-period-start
  it('records the plan price of a missed period, with its start', () => {
    const { attempt } = changed(paidUp, { kind: 'missed', since: due, until: nextDue }, nextDue);
    expect(attempt).toMatchObject({ reason: 'period_missed', amount: plan.amount, periodStart: due });
  });
});

describe('a block that begins without access', () => {
  // blocks#block-that-begins-without-access
  it.each(['receiver_account_frozen', 'mint_paused', 'mesub'] as const)('grants none (%s)', (block) => {
    const { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
    const now = plus(due, MINUTE);
    const { after, events } = changed(
      late,
      { kind: 'blocked', reason: block, block, amount: plan.amount, periodStart: due, nextTryAt: now },
      now,
      plan,
      TIERS.free,
    );
    expect(after.blockedReason).toBe(block);
    expect(entitlement(after, { plan, tier: TIERS.free, now }).access).toBe(false);
    expect(events).toEqual([]);
  });
});
