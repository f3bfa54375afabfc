import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { EventType } from '../../contract/enums.js';
import type { Plan, Subscription } from '../../records/index.js';
import type { Transition, Payment } from '../transition.js';
import type { Change } from '../change.js';
import { periodFrom, plus } from '../../rules/billing-periods.js';
import { accessEndsAt, entitlement } from '../../rules/access.js';
import { type Tier, TIERS } from '../../contract/tiers.js';
import { MADE_AT as T0, aCheckout, aPlan, aSubscription } from '../../testing/records.js';
import { change, raised } from './checked-change.js';
import { HOUR, DAY } from '../../testing/units-of-time.js';

const plan = aPlan();
const due = periodFrom(T0, plan).end;
const nextDue = periodFrom(due, plan).end;
const WAIT = DAY;

const insufficient = {
  kind: 'rejected',
  reason: 'insufficient_balance',
  amount: plan.amount,
  periodStart: due,
} as const;

function payment(periodStart: Date): Payment {
  return { amount: plan.amount, received: plan.amount, periodStart, signature: 'sig' };
}

function first(at = T0): Transition {
  const incarnation = { generation: 7n, planCreatedAt: T0, anchor: at };
  return {
    kind: 'first_payment',
    payment: payment(at),
    incarnation,
    landedAt: at,
    previousId: null,
    expiresAt: null,
  };
}

/** Applies transitions to a subscription one after another, and returns the last change. */
function run(
  start: Subscription,
  steps: readonly [Transition, Date][],
  on: Plan = plan,
  tier: Tier = TIERS.business,
): Change {
  let made: Change | null = null;
  for (const [transition, now] of steps)
    made = change(made?.after ?? start, transition, { plan: on, tier, now });
  if (made === null) throw new Error('A run needs at least one transition.');
  return made;
}

const types = (made: Change) => made.events.map(({ type }) => type.replace('subscription.', ''));

describe('a change of a subscription', () => {
  // events#access-event-per-change
  it('makes a pending subscription active, raises created and access_granted, and anchors the grid at the landing', () => {
    const made = run(aCheckout({ planId: plan.id }), [[first(), T0]]);
    expect(made.after).toMatchObject({
      status: 'active',
      paidPeriodStart: T0,
      paidPeriodEnd: due,
      nextTryAt: due,
    });
    expect(types(made)).toEqual(['created', 'access_granted']);
    expect(made.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(made.attempt).toMatchObject({ outcome: 'paid', retry: false, amountReceived: plan.amount });
    expect(made.after.nextTryAt).toEqual(due);
  });

  // access#access-does-not-blink
  // events#access-event-per-change
  it('raises renewed and no access event for a renewal that is paid on time', () => {
    const made = run(aSubscription({ planId: plan.id }), [
      [{ kind: 'paid', payment: payment(due) }, plus(due, 2000)],
    ]);
    expect(types(made)).toEqual(['renewed']);
    expect(made.after).toMatchObject({
      status: 'active',
      paidPeriodStart: due,
      paidPeriodEnd: nextDue,
      paidCount: 2,
    });
  });

  // retries#first-rejected-charge
  // attempts#late-reason
  it('makes it unpaid when the due charge is rejected, and dates the first retry one wait later', () => {
    const made = run(aSubscription({ planId: plan.id }), [[insufficient, due]]);
    expect(types(made)).toEqual(['payment_failed']);
    expect(made.after).toMatchObject({
      status: 'unpaid',
      lateReason: 'insufficient_balance',
      nextTryAt: plus(due, WAIT),
    });
    expect(made.attempt).toMatchObject({ outcome: 'rejected', retry: false, retryNumber: null });
    expect(made.events[0]?.detail).toEqual({
      reason: 'insufficient_balance',
      amount: '10000000',
      mint: plan.mint,
      period_start: due.toISOString(),
      period_end: nextDue.toISOString(),
      next_retry_at: plus(due, WAIT).toISOString(),
      retry_deadline: null,
      retries_left: 3,
      retry_mode: 'scheduled',
    });
  });

  // retries#paid-retry
  // billing-periods#late-payment-keeps-the-grid
  // attempts#attempt-retry-fields
  it('makes it active when a retry pays, moves no boundary, and numbers the attempt', () => {
    const made = run(aSubscription({ planId: plan.id }), [
      [insufficient, due],
      [{ kind: 'paid', payment: payment(due) }, plus(due, WAIT)],
    ]);
    expect(made.after).toMatchObject({
      status: 'active',
      late: null,
      lateReason: null,
      paidPeriodEnd: nextDue,
    });
    expect(made.attempt).toMatchObject({ outcome: 'paid', retry: true, retryNumber: 1, retriesAllowed: 3 });
    expect(types(made)).toEqual(['renewed']);
  });

  // retries#each-rejected-retry-spends-one
  // retries#last-retry-stops
  // events#shared-snapshot-of-a-change
  it('stops it with the last retry, and raises payment_failed, stopped and access_revoked, all with the status stopped', () => {
    const retries = [1, 2, 3].map((k): [Transition, Date] => [insufficient, plus(due, k * WAIT)]);
    const made = run(aSubscription({ planId: plan.id }), [[insufficient, due], ...retries]);
    expect(types(made)).toEqual(['payment_failed', 'stopped', 'access_revoked']);
    expect(made.after).toMatchObject({
      status: 'stopped',
      stopReason: 'out_of_retries',
      wakeAt: null,
      late: null,
    });
    expect(made.after.lateReason).toBe('insufficient_balance');
    for (const { data } of made.events) expect(data).toMatchObject({ status: 'stopped', access: false });
    expect(made.attempt).toMatchObject({ retry: true, retryNumber: 3, retriesAllowed: 3 });
    expect(made.events[1]?.detail).toEqual({ reason: 'insufficient_balance' });
  });

  // management#won-back-and-lost, figures#movements
  it('keeps when it was lost first through a later cancellation and close, until it runs again', () => {
    const closed = { ...insufficient, reason: 'authority_closed' };
    const stopped = run(aSubscription({ planId: plan.id }), [[closed, due]]);
    const loss = { lostAt: due };
    expect(stopped.after).toMatchObject({ status: 'stopped', ...loss });
    const cancel = { kind: 'cancelled', expiresAt: nextDue, nextTryAt: nextDue } as const;
    const cancelled = run(stopped.after, [[cancel, plus(due, DAY)]]);
    expect(cancelled).toMatchObject({ after: { status: 'cancelled', ...loss }, movement: null });
    const ended = run(cancelled.after, [[{ kind: 'closed' }, nextDue]]);
    expect(ended).toMatchObject({ after: { status: 'ended', endReason: 'closed', ...loss }, movement: null });
    const resumed = run(cancelled.after, [[{ kind: 'resumed' }, plus(due, 2 * DAY)]]);
    expect(resumed.after).toMatchObject({ status: 'unpaid', lostAt: null });
    const superseded = run(stopped.after, [[{ kind: 'superseded' }, plus(due, DAY)]]);
    expect(superseded.after).toMatchObject({ status: 'superseded', ...loss });
    const active = run(aSubscription({ planId: plan.id }), [[cancel, T0]]);
    expect(active.after).toMatchObject({ status: 'cancelled', lostAt: null });
  });

  // attempts#closed-authority-stops
  it.each(['authority_closed', 'program_103', 'program_136'])(
    'stops it at once for %s, whatever retries are left',
    (reason) => {
      const made = run(aSubscription({ planId: plan.id }), [[{ ...insufficient, reason }, due]]);
      expect(made.after).toMatchObject({
        status: 'stopped',
        stopReason: 'authority_closed',
        lateReason: 'authority_closed',
      });
      expect(types(made)).toEqual(['payment_failed', 'stopped', 'access_revoked']);
    },
  );

  // retries#manual-retries-on-dev-and-business
  // retries#retry-deadline-on-free
  // retries#retry-policy-on-free
  // access#no-grace-on-free
  it('leaves it unpaid without access on Free until the deadline, which stops it', () => {
    const deadline = plus(nextDue, -120_000);
    const failed = run(aSubscription({ planId: plan.id }), [[insufficient, due]], plan, TIERS.free);
    expect(types(failed)).toEqual(['payment_failed', 'access_revoked']);
    expect(failed.after.nextTryAt).toEqual(deadline);
    expect(failed.events[0]?.detail).toMatchObject({
      retry_mode: 'manual',
      retry_deadline: deadline.toISOString(),
    });
    const made = run(failed.after, [[{ kind: 'retry_deadline_passed' }, deadline]], plan, TIERS.free);
    expect(made.after).toMatchObject({ status: 'stopped', stopReason: 'retry_deadline_passed' });
    expect(types(made)).toEqual(['stopped']);
    expect(made.events[0]?.detail).toEqual({ reason: 'retry_deadline_passed' });
  });

  // retries#blocked-and-skipped-spend-nothing
  // blocks#start-of-a-block
  // blocks#status-while-blocked
  // blocks#what-ends-a-block
  // invariants#only-rejections-spend-retries
  it('spends no retry and changes no status while blocked, until a charge goes through', () => {
    const nextTryAt = plus(due, 600_000);
    const blocked: Transition = {
      kind: 'blocked',
      reason: 'mint_paused',
      block: 'mint_paused',
      amount: plan.amount,
      periodStart: due,
      nextTryAt,
    };
    const made = run(aSubscription({ planId: plan.id }), [
      [blocked, due],
      [blocked, nextTryAt],
    ]);
    expect(made.after).toMatchObject({ status: 'active', blockedSince: due, blockedReason: 'mint_paused' });
    expect(made.events).toEqual([]);
    const paid = run(made.after, [[{ kind: 'paid', payment: payment(due) }, plus(nextTryAt, 600_000)]]);
    expect(paid.after).toMatchObject({ blockedSince: null, blockedReason: null });
  });

  // blocks#access-under-a-setup-block
  // events#access-date-in-detail
  it('revokes access at its date under a long block by the setup, and grants it with the next payment', () => {
    const nextTryAt = plus(due, 600_000);
    const reason = 'receiver_account_frozen';
    const blocked: Transition = {
      kind: 'blocked',
      reason,
      block: reason,
      amount: 1n,
      periodStart: due,
      nextTryAt,
    };
    const ends = plus(due, 3 * WAIT);
    const revoked = run(aSubscription({ planId: plan.id }), [
      [blocked, due],
      [{ kind: 'access_ended' }, ends],
    ]);
    expect(types(revoked)).toEqual(['access_revoked']);
    expect(revoked.events[0]?.detail).toEqual({
      changed_at: ends.toISOString(),
      blocked_reason: reason,
      access_until: ends.toISOString(),
    });
    const paid = run(revoked.after, [[{ kind: 'paid', payment: payment(due) }, plus(ends, HOUR)]]);
    expect(types(paid)).toEqual(['renewed', 'access_granted']);
  });

  // attempts#attempt-amount
  // attempts#attempt-period-start
  it.each(['plan_removed', 'plan_replaced', 'plan_ended', 'closed_elsewhere'] as const)(
    'ends it with the reason %s and a skipped attempt of the price',
    (reason) => {
      const made = run(aSubscription({ planId: plan.id }), [
        [{ kind: 'ended', reason, cancelledUntil: null }, due],
      ]);
      expect(made.after).toMatchObject({ status: 'ended', endReason: reason, nextTryAt: null });
      expect(made.attempt).toMatchObject({
        outcome: 'skipped',
        reason,
        amount: plan.amount,
        periodStart: null,
      });
      expect(types(made)).toEqual(['access_revoked', 'ended']);
      expect(made.events[1]?.detail).toEqual({});
    },
  );

  // events#end-of-a-cancellation
  it('revokes access of a cancelled subscription at the paid end, and then ends it with its expiry in the event', () => {
    const cancelled = run(aSubscription({ planId: plan.id }), [
      [{ kind: 'cancelled', expiresAt: due, nextTryAt: due }, T0],
    ]);
    expect(types(cancelled)).toEqual(['cancelled']);
    const revoked = run(cancelled.after, [[{ kind: 'access_ended' }, due]]);
    expect(types(revoked)).toEqual(['access_revoked']);
    const ended = run(revoked.after, [
      [{ kind: 'ended', reason: 'cancelled', cancelledUntil: due }, plus(due, 5000)],
    ]);
    expect(types(ended)).toEqual(['ended']);
    expect(ended.attempt).toBeNull();
    expect(ended.events[0]?.detail).toEqual({ changed_at: due.toISOString(), end_reason: 'cancelled' });
  });

  // events#event-creation-time
  it('dates its events no earlier than the previous one, which a host with a clock ahead has dated', () => {
    const ahead = plus(T0, HOUR);
    const made = run(aSubscription({ planId: plan.id, lastEventAt: ahead }), [
      [{ kind: 'cancelled', expiresAt: due, nextTryAt: due }, T0],
    ]);
    expect(made.events.map(({ createdAt }) => createdAt)).toEqual([ahead]);
    expect(made.after.lastEventAt).toEqual(ahead);
  });

  it('expires a checkout that was not signed, with one event', () => {
    const made = run(aCheckout(), [[{ kind: 'checkout_expired' }, T0]]);
    expect(made.after).toMatchObject({ status: 'expired', wakeAt: null });
    expect(types(made)).toEqual(['expired']);
  });

  // billing-periods#missed-periods
  it('records one period_missed for a run of periods, and charges the current one next', () => {
    const missed: Transition = { kind: 'missed', since: due, until: nextDue };
    const made = run(aSubscription({ planId: plan.id }), [[missed, plus(nextDue, HOUR)]]);
    expect(made.attempt).toMatchObject({ outcome: 'skipped', reason: 'period_missed', amount: plan.amount });
    expect(made.after).toMatchObject({ missedUntil: nextDue, nextTryAt: plus(nextDue, HOUR) });
  });
});

// invariants#one-payment-per-period
// invariants#access-events-alternate
// invariants#sequence-is-complete
// invariants#no-access-past-its-date
// invariants#timed-work-has-a-wake-date
describe('any transitions in any order', () => {
  const ending = aPlan({ endsAt: plus(T0, 95 * DAY) });
  const reasons = fc.constantFrom('insufficient_balance', 'program_4', 'program_1', 'authority_closed');
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 40 * DAY }),
    what: fc.constantFrom('paid', 'rejected', 'blocked', 'date', 'ended', 'cancelled', 'resumed', 'already'),
    reason: reasons,
  });

  it('leave no gap in the sequence, alternate access events, end access in time, and set a wake date while it lasts', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25 }),
        fc.constantFrom(plan, ending),
        fc.constantFrom(TIERS.free, TIERS.business),
        (steps, on, tier) => {
          const at = (now: Date) => ({ plan: on, tier, now });
          let { after: subscription } = change(aCheckout(), first(), at(T0));
          let sequence = subscription.lastSequence;
          let granted = true;
          let now = T0;
          const apply = (transition: Transition, when: Date) => {
            const made = change(subscription, transition, at(when));
            for (const event of made.events) {
              expect(event.sequence).toBe(++sequence);
              if (event.type === 'subscription.access_granted') expect(granted).toBe(false);
              if (event.type === 'subscription.access_revoked') expect(granted).toBe(true);
              if (event.type.includes('access_')) granted = event.type === 'subscription.access_granted';
            }
            subscription = made.after;
            const entitled = entitlement(subscription, at(when));
            expect(entitled.access).toBe(granted);
            if (entitled.access) {
              expect(Number(entitled.accessUntil)).toBeGreaterThan(Number(when));
              if (on.endsAt !== null)
                expect(Number(entitled.accessUntil)).toBeLessThanOrEqual(Number(on.endsAt));
              expect(['active', 'unpaid', 'cancelled']).toContain(entitled.status);
              expect(subscription.wakeAt).not.toBeNull();
            }
          };
          for (const { wait, what, reason } of steps) {
            now = plus(now, wait);
            const ends = subscription.lastAnnouncedAccess ? accessEndsAt(subscription, at(now)) : null;
            if (ends !== null && ends <= now) apply({ kind: 'access_ended' }, ends);
            const periodStart = subscription.paidPeriodEnd ?? T0;
            const running = subscription.status === 'active' || subscription.status === 'unpaid';
            if (what === 'date') apply({ kind: 'access_ended' }, now);
            else if (what === 'resumed' && subscription.status === 'cancelled')
              apply({ kind: 'resumed' }, now);
            else if (!running) continue;
            else if (what === 'paid') apply({ kind: 'paid', payment: payment(periodStart) }, now);
            else if (what === 'already') apply({ kind: 'already_paid', periodStart }, now);
            else if (what === 'rejected') apply({ kind: 'rejected', reason, amount: 1n, periodStart }, now);
            else if (what === 'cancelled')
              apply({ kind: 'cancelled', expiresAt: plus(now, DAY), nextTryAt: plus(now, DAY) }, now);
            else if (what === 'ended')
              apply({ kind: 'ended', reason: 'plan_removed', cancelledUntil: null }, now);
            else if (what === 'blocked') {
              apply(
                {
                  kind: 'blocked',
                  reason: 'transport',
                  block: 'mesub',
                  amount: 1n,
                  periodStart: null,
                  nextTryAt: plus(now, HOUR),
                },
                now,
              );
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

// events#order-within-one-change
it('raises paused and unpaused around the access that a late subscription has only with a seat', () => {
  const rejected: Transition = {
    kind: 'rejected',
    reason: 'insufficient_balance',
    amount: plan.amount,
    periodStart: due,
  };
  const late = run(aSubscription({ planId: plan.id, lastAnnouncedAccess: true }), [[rejected, due]]).after;
  const parked = run(late, [[{ kind: 'paused' }, plus(due, HOUR)]]);
  expect(types(parked)).toEqual(['access_revoked', 'paused']);
  expect(types(run(parked.after, [[{ kind: 'unpaused' }, plus(due, 2 * HOUR)]]))).toEqual([
    'unpaused',
    'access_granted',
  ]);
});

// events#renewal-notice
it('raises the notice of a renewal once for each paid period', () => {
  const at = plus(due, -3 * DAY);
  const notice = (rejection: string | null): Transition => ({ kind: 'renewal_upcoming', rejection });
  const noticed = run(aSubscription({ planId: plan.id, lastAnnouncedAccess: true }), [[notice(null), at]]);
  expect(noticed.events.map(({ detail }) => detail)).toEqual([
    {
      ...{ can_pay: true, renewal_issue: null },
      ...{ amount: plan.amount.toString(), mint: plan.mint, due_at: due.toISOString() },
    },
  ]);
  expect(noticed.attempt).toBeNull();
  expect(noticed.after.nextTryAt).toEqual(due);
  const paid = run(noticed.after, [[{ kind: 'paid', payment: payment(due) }, due]]);
  expect(paid.after.nextTryAt).toEqual(nextDue);
  const short = run(paid.after, [[notice('insufficient_balance'), plus(nextDue, -3 * DAY)]]);
  expect(short.events[0]?.detail).toMatchObject({ can_pay: false, renewal_issue: 'balance' });
});

it('raises nothing when the notice of a renewal is postponed', () => {
  const at = plus(due, -3 * DAY);
  const nextTryAt = plus(at, HOUR);
  const made = run(aSubscription({ planId: plan.id, lastAnnouncedAccess: true, nextTryAt: due }), [
    [{ kind: 'renewal_notice_postponed', nextTryAt }, at],
  ]);
  expect(types(made)).toEqual([]);
  expect(made.after).toMatchObject({ renewalNoticeNotBefore: nextTryAt, nextTryAt: due });
});

// Every event type is raised above and checked by its schema.
afterAll(() => {
  expect([...raised].sort()).toEqual([...EventType.options].sort());
});
