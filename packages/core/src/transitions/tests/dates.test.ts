import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BlockedReason } from '../../contract/enums.js';
import { type Tier, TIERS } from '../../contract/tiers.js';
import { periodMs, type Plan, type Subscription } from '../../records/index.js';
import { entitlement } from '../../rules/access.js';
import { isPlanSetup } from '../../rules/attempt-reasons.js';
import { LAST_MINUTES_MS, periodPaidAt, plus } from '../../rules/billing-periods.js';
import { retryPolicy } from '../../rules/retry-policy.js';
import { MADE_AT as T0, aCheckout, aPlan } from '../../testing/records.js';
import type { Payment, Transition } from '../transition.js';
import { change as makeChange } from '../change.js';
import { change } from './checked-change.js';
import { HOUR, MINUTE } from '../../testing/units-of-time.js';

/** A plan of any period, of any end from its first possible one on, with own or default retries. */
const plans: fc.Arbitrary<Plan> = fc
  .record({
    periodHours: fc.integer({ min: 2, max: 8_760 }),
    // In thousandths of a period after the first end; ends near a boundary are as likely.
    end: fc.option(fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constantFrom(1_000, 2_000, 3_000))),
    nearBoundary: fc.integer({ min: -180, max: 180 }),
    retries: fc.option(
      fc.record({ attempts: fc.integer({ min: 1, max: 10 }), part: fc.integer({ min: 1, max: 99 }) }),
    ),
  })
  .map(({ periodHours, end, nearBoundary, retries }) => {
    const length = periodHours * HOUR;
    const wait = (share: number, attempts: number) =>
      Math.floor((length * share) / (100 * attempts * MINUTE));
    return aPlan({
      periodHours,
      endsAt:
        end === null
          ? null
          : plus(T0, length + 5 * MINUTE + Math.floor((length * end) / 1_000) + nearBoundary * 1_000),
      retryPolicy:
        retries === null || wait(retries.part, retries.attempts) < 15
          ? null
          : { attempts: retries.attempts, waitMs: wait(retries.part, retries.attempts) * MINUTE },
    });
  });

const tiers = fc.constantFrom<Tier>(...Object.values(TIERS));

function paymentOf(plan: Plan, periodStart: Date): Payment {
  return { amount: plan.amount, received: plan.amount, periodStart, signature: 'sig' };
}

/** A subscription whose first payment landed at `T0`. */
function subscribed(plan: Plan, tier: Tier): Subscription {
  const first: Transition = {
    kind: 'first_payment',
    payment: paymentOf(plan, T0),
    incarnation: { generation: 7n, planCreatedAt: T0, anchor: T0 },
    landedAt: T0,
    previousId: null,
    expiresAt: null,
  };
  return change(aCheckout({ planId: plan.id }), first, { plan, tier, now: T0 }).after;
}

const earliest = (...dates: readonly (Date | null)[]): Date =>
  new Date(Math.min(...dates.filter((date) => date !== null).map(Number)));

/** Whether a charge may be dated then. */
const isChargeable = ({ endsAt }: Plan, at: Date): boolean =>
  endsAt === null || at < plus(endsAt, -LAST_MINUTES_MS);

const STEPS = [
  ...['paid', 'already', 'rejected', 'blocked', 'missed', 'ended', 'plan_ended', 'cancelled', 'resumed'],
  ...['paused', 'unpaused', 'tier', 'retry', 'deadline', 'date', 'closed'],
] as const;

const steps = fc.array(
  fc.record({
    /** In hundredths of a period. */
    wait: fc.integer({ min: 0, max: 130 }),
    what: fc.constantFrom(...STEPS),
    reason: fc.constantFrom('insufficient_balance', 'program_4', 'program_508', 'authority_closed'),
    block: fc.constantFrom(...BlockedReason.options),
  }),
  { maxLength: 25 },
);

/** The transition that a step makes in a state; null where none of that kind happens in it. */
function transitionOf(
  what: (typeof STEPS)[number],
  { status, late, pausedAt, paidPeriodEnd }: Subscription,
  { plan, now }: { readonly plan: Plan; readonly now: Date },
  reason: string,
  block: BlockedReason,
): Transition | null {
  const due = paidPeriodEnd ?? T0;
  const isRunning = status === 'active' || status === 'unpaid';
  const periodStart = periodPaidAt(plan, due, now);
  const isDue = isRunning && pausedAt === null && now >= due && isChargeable(plan, now);
  switch (what) {
    case 'paid':
      return isDue ? { kind: 'paid', payment: paymentOf(plan, periodStart) } : null;
    case 'already':
      return isDue ? { kind: 'already_paid', periodStart } : null;
    case 'rejected':
      return isDue ? { kind: 'rejected', reason, amount: 1n, periodStart } : null;
    case 'blocked':
      return isDue
        ? {
            kind: 'blocked',
            reason: block,
            block,
            amount: 1n,
            periodStart,
            nextTryAt: plus(now, 10 * MINUTE),
          }
        : null;
    case 'missed':
      return isDue && periodStart > due ? { kind: 'missed', since: due, until: periodStart } : null;
    case 'ended':
      return isRunning ? { kind: 'ended', reason: 'plan_removed', cancelledUntil: null } : null;
    case 'plan_ended':
      return isRunning && plan.endsAt !== null && now > plan.endsAt
        ? { kind: 'ended', reason: 'plan_ended', cancelledUntil: null }
        : null;
    case 'cancelled': {
      const expiresAt = plus(periodStart, periodMs(plan));
      return isRunning ? { kind: 'cancelled', expiresAt, nextTryAt: expiresAt } : null;
    }
    case 'resumed':
      return status === 'cancelled' ? { kind: 'resumed' } : null;
    case 'paused':
      return isRunning && pausedAt === null ? { kind: 'paused' } : null;
    case 'unpaused':
      return pausedAt === null ? null : { kind: 'unpaused' };
    case 'tier':
      return status === 'unpaid' ? { kind: 'tier_changed' } : null;
    case 'retry':
      return status === 'unpaid' && pausedAt === null ? { kind: 'retry_queued' } : null;
    case 'deadline':
      return late?.deadline !== undefined && late.deadline !== null && now >= late.deadline
        ? { kind: 'retry_deadline_passed' }
        : null;
    case 'closed':
      return status === 'stopped' ? { kind: 'closed' } : null;
    case 'date':
      return { kind: 'access_ended' };
  }
}

describe('whatever happens to a subscription, on any plan and tier', () => {
  // access#access-by-state, access#access-stops-at-the-plan-end, invariants#no-access-once-ended
  // retries#last-two-minutes-of-a-plan, retries#retry-deadline-on-free
  // billing-periods#late-payment-keeps-the-grid
  it('its dates agree with its state, at every instant', () => {
    fc.assert(
      fc.property(plans, tiers, tiers, steps, (plan, tier, other, taken) => {
        const length = periodMs(plan);
        let subscription = subscribed(plan, tier);
        let current = tier;
        let now = T0;
        for (const { wait, what, reason, block } of taken) {
          now = plus(now, Math.floor((length * wait) / 100));
          if (what === 'tier') current = current === tier ? other : tier;
          const transition = transitionOf(what, subscription, { plan, now }, reason, block);
          if (transition !== null) {
            subscription = makeChange(subscription, transition, { plan, tier: current, now }).after;
          }
          for (const share of [0, 1, 50, 99, 100, 101, 250]) {
            const faults = faultsOf(
              subscription,
              plan,
              current,
              plus(now, Math.floor((length * share) / 100)),
            );
            if (faults.length > 0) expect(faults).toEqual([]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The faults of a subscription's dates at an instant, in words. */
function faultsOf(subscription: Subscription, plan: Plan, tier: Tier, now: Date): readonly string[] {
  const seen = entitlement(subscription, { plan, tier, now });
  const { status, access, accessUntil, nextChargeAt, nextRetryAt, retryDeadline } = seen;
  const { endsAt } = plan;
  const isRunning = status === 'active' || status === 'unpaid';
  const onGrid = (date: Date | null | undefined) => date == null || (+date - +T0) % periodMs(plan) === 0;
  const claims: Readonly<Record<string, boolean>> = {
    'access lasts exactly to a date': access === (accessUntil !== null),
    'access ends in the future': accessUntil === null || now < accessUntil,
    'access ends with the plan': accessUntil === null || endsAt === null || accessUntil <= endsAt,
    'nothing gives access past the plan': !access || endsAt === null || now < endsAt,
    'only what runs gives access': !access || isRunning || status === 'cancelled',
    'no charge is dated in the last minutes': nextChargeAt === null || isChargeable(plan, nextChargeAt),
    'no retry is dated in the last minutes': nextRetryAt === null || isChargeable(plan, nextRetryAt),
    'only what is paid and has a seat is charged next':
      nextChargeAt === null ||
      (seen.paymentStatus === 'paid' && status === 'active' && subscription.pausedAt === null),
    'what is paid up is charged at its boundary':
      nextChargeAt === null ||
      nextChargeAt <= now ||
      subscription.blockedSince !== null ||
      +nextChargeAt === Number(subscription.paidPeriodEnd),
    'only what is late is retried':
      nextRetryAt === null || (status === 'unpaid' && seen.paymentStatus === 'late'),
    'a retry has a number': (nextRetryAt === null) === (seen.nextRetryNumber === null),
    'a retry is one of those allowed':
      seen.nextRetryNumber === null || seen.nextRetryNumber <= (seen.retriesAllowed ?? 0),
    'only what is late has a deadline':
      retryDeadline === null || (status === 'unpaid' && seen.paymentStatus === 'late'),
    'a deadline and retries exclude each other': retryDeadline === null || seen.retriesAllowed === null,
    'a deadline is not past the plan': retryDeadline === null || endsAt === null || retryDeadline <= endsAt,
    'one date at most is next':
      [nextChargeAt, nextRetryAt, retryDeadline].filter((date) => date !== null).length <= 1,
    'only what runs has a next date': isRunning || (nextChargeAt ?? nextRetryAt ?? retryDeadline) === null,
    'the paid period is on the grid':
      onGrid(subscription.paidPeriodStart) && onGrid(subscription.paidPeriodEnd),
    'the missed period is on the grid': onGrid(subscription.late?.periodStart),
  };
  return Object.entries(claims).flatMap(([claim, holds]) =>
    holds ? [] : [`${claim}, but not at ${now.toISOString()}`],
  );
}

describe('a late payment, on any plan', () => {
  // retries#each-rejected-retry-spends-one, retries#last-retry-stops, access#grace-while-unpaid
  it('is retried one wait after each failure, and gives access until the last retry, where it has retries', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom(TIERS.dev, TIERS.business), (plan, tier) => {
        const policy = retryPolicy(plan, tier);
        if (policy === null) throw new Error('The tier has no retries.');
        let subscription = subscribed(plan, tier);
        const due = plus(T0, periodMs(plan));
        for (let failed = 0; failed <= policy.attempts; failed++) {
          const at = plus(due, failed * policy.waitMs);
          if (!isChargeable(plan, at)) return;
          const rejected: Transition = {
            kind: 'rejected',
            reason: 'program_4',
            amount: 1n,
            periodStart: due,
          };
          subscription = change(subscription, rejected, { plan, tier, now: at }).after;
          const left = policy.attempts - failed;
          const seen = entitlement(subscription, { plan, tier, now: at });
          if (left === 0) {
            expect(seen).toMatchObject({ status: 'stopped', access: false, nextRetryAt: null });
            return;
          }
          const next = plus(at, policy.waitMs);
          expect(seen).toMatchObject({
            status: 'unpaid',
            nextChargeAt: null,
            nextRetryAt: isChargeable(plan, next) ? next : null,
            nextRetryNumber: isChargeable(plan, next) ? failed + 1 : null,
            retriesAllowed: policy.attempts,
            accessUntil: earliest(plus(at, policy.waitMs * left), plan.endsAt),
          });
        }
      }),
      { numRuns: 200 },
    );
  });

  // access#no-grace-on-free, retries#retry-deadline-on-free, retries#plan-end-before-the-deadline
  it('gives no access on Free, and can be retried by hand until two minutes before its period ends', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const due = plus(T0, periodMs(plan));
        if (!isChargeable(plan, due)) return;
        const at = { plan, tier: TIERS.free, now: due };
        const rejected: Transition = { kind: 'rejected', reason: 'program_4', amount: 1n, periodStart: due };
        const { after } = change(subscribed(plan, TIERS.free), rejected, at);
        expect(entitlement(after, at)).toMatchObject({
          access: false,
          nextChargeAt: null,
          nextRetryAt: null,
          retryDeadline: earliest(plus(due, periodMs(plan) - 2 * MINUTE), plan.endsAt),
        });
      }),
      { numRuns: 500 },
    );
  });
});

// blocks#access-under-a-setup-block, blocks#access-under-other-blocks
it('a blocked charge leaves access to the date that its cause gives, and never past the end of the plan', () => {
  fc.assert(
    fc.property(plans, tiers, fc.constantFrom(...BlockedReason.options), (plan, tier, block) => {
      const due = plus(T0, periodMs(plan));
      if (!isChargeable(plan, due)) return;
      const nextTryAt = plus(due, 10 * MINUTE);
      const blocked: Transition = {
        kind: 'blocked',
        reason: block,
        block,
        amount: 1n,
        periodStart: due,
        nextTryAt,
      };
      const at = { plan, tier, now: due };
      const { after } = change(subscribed(plan, tier), blocked, at);
      const policy = retryPolicy(plan, tier);
      const given = isPlanSetup(block)
        ? plus(due, policy === null ? 0 : policy.attempts * policy.waitMs)
        : plus(due, periodMs(plan));
      const until = earliest(given, plan.endsAt);
      expect(entitlement(after, at)).toMatchObject({
        status: 'active',
        accessUntil: until > due ? until : null,
        nextChargeAt: isChargeable(plan, nextTryAt) ? nextTryAt : null,
      });
    }),
    { numRuns: 500 },
  );
});

// billing-periods#billing-grid, billing-periods#late-payment-keeps-the-grid
it('the grid does not drift over 10,000 periods, whenever in its period each one is paid', () => {
  fc.assert(
    fc.property(
      // The last of 10,000 longer periods would have a year of five digits.
      fc.integer({ min: 1, max: 6_000 }),
      fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 20 }),
      (periodHours, delays) => {
        const plan = aPlan({ periodHours });
        const length = periodMs(plan);
        let subscription = subscribed(plan, TIERS.business);
        for (let period = 1; period <= 10_000; period++) {
          const boundary = plus(T0, period * length);
          if (Number(subscription.paidPeriodEnd) !== Number(boundary))
            expect(subscription.paidPeriodEnd).toEqual(boundary);
          const now = plus(boundary, Math.floor((length * (delays[period % delays.length] ?? 0)) / 1_000));
          const payment = paymentOf(plan, periodPaidAt(plan, subscription.paidPeriodEnd ?? T0, now));
          subscription = makeChange(
            subscription,
            { kind: 'paid', payment },
            { plan, tier: TIERS.business, now },
          ).after;
        }
        expect(subscription.nextTryAt).toEqual(plus(T0, 10_001 * length));
      },
    ),
    { numRuns: 2 },
  );
});
