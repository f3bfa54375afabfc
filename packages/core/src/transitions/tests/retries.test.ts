import { describe, expect, it } from 'vitest';

import { TIERS } from '../../contract/tiers.js';
import type { Plan, Subscription } from '../../records/index.js';
import { entitlement } from '../../rules/access.js';
import { blockedReason } from '../../rules/attempt-reasons.js';
import { periodFrom, plus } from '../../rules/billing-periods.js';
import { MADE_AT as T0, aPlan, aSubscription } from '../../testing/records.js';
import type { Change } from '../change.js';
import type { Transition } from '../transition.js';
import { change } from './checked-change.js';
import { MINUTE, HOUR, DAY } from '../../testing/units-of-time.js';

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
      graceUntil: plus(due, 3 * DAY),
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
    expect(late).toMatchObject({ status: 'unpaid', nextTryAt: plus(nextDue, -2 * MINUTE) });
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
    expect(late.nextTryAt).toEqual(deadline);
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

/** A try that is blocked for this reason, and is made again ten minutes later. */
function blocked(reason: string, now: Date): Transition {
  const block = blockedReason(reason);
  const nextTryAt = plus(now, 10 * MINUTE);
  return { kind: 'blocked', reason, block, amount: plan.amount, periodStart: due, nextTryAt };
}

/** Until when a subscription has access at an instant; null when it has none. */
function accessUntil(subscription: Subscription, now: Date, tier = TIERS.business): Date | null {
  return entitlement(subscription, { plan, tier, now }).accessUntil;
}

describe('access under a block', () => {
  const setupEnd = plus(due, 3 * DAY);

  // blocks#block-that-begins-without-access
  it.each(['receiver_account_frozen', 'mint_paused', 'transport'])(
    'is none when it begins without (%s)',
    (reason) => {
      const { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
      const now = plus(due, MINUTE);
      const { after, events } = changed(late, blocked(reason, now), now, plan, TIERS.free);
      expect(after.blockedReason).toBe(blockedReason(reason));
      expect(accessUntil(after, now, TIERS.free)).toBeNull();
      expect(events).toEqual([]);
    },
  );

  // blocks#first-cause-sets-the-date
  it('is brought forward by a later cause, and never put off', () => {
    const { after: bySetup } = changed(paidUp, blocked('receiver_account_frozen', due), due);
    expect(accessUntil(bySetup, due)).toEqual(setupEnd);
    const { after: thenIssuer } = changed(bySetup, blocked('mint_paused', due), plus(due, HOUR));
    expect(thenIssuer.blockedReason).toBe('mint_paused');
    expect(accessUntil(thenIssuer, plus(due, HOUR))).toEqual(setupEnd);

    const { after: byIssuer } = changed(paidUp, blocked('mint_paused', due), due);
    expect(accessUntil(byIssuer, due)).toEqual(nextDue);
    const { after: thenSetup } = changed(byIssuer, blocked('receiver_account_frozen', due), plus(due, HOUR));
    expect(accessUntil(thenSetup, plus(due, HOUR))).toEqual(setupEnd);
  });

  // blocks#access-returns-with-a-payment
  it('returns with a payment only, once it has ended', () => {
    const { after: begun } = changed(paidUp, blocked('receiver_account_frozen', due), due);
    const { after: over, events } = changed(begun, { kind: 'access_ended' }, setupEnd);
    expect(events.map(({ type }) => type)).toEqual(['subscription.access_revoked']);
    const now = plus(setupEnd, HOUR);
    for (const reason of ['transport', 'mint_paused', 'gone_unconfirmed']) {
      const { after, events: none } = changed(over, blocked(reason, now), now);
      expect([accessUntil(after, now), none]).toEqual([null, []]);
    }
    const payment = { amount: plan.amount, received: null, periodStart: due, signature: 'signature' };
    const { after: paid } = changed(over, { kind: 'paid', payment }, now);
    expect(accessUntil(paid, now)).toEqual(nextDue);
  });

  // blocks#rejection-after-a-block
  it('does not return with a rejected try', () => {
    const { after: begun } = changed(paidUp, blocked('receiver_account_frozen', due), due);
    const now = plus(setupEnd, HOUR);
    const { after: over } = changed(begun, { kind: 'access_ended' }, setupEnd);
    const { after, events } = changed(over, rejected(), now);
    expect(after).toMatchObject({ status: 'unpaid', late: { graceUntil: null, automatic: { spent: 0 } } });
    expect(events.map(({ type }) => type)).toEqual(['subscription.payment_failed']);
    const { after: second } = changed(after, rejected(), plus(now, DAY));
    expect(accessUntil(second, plus(now, DAY))).toBeNull();
  });

  // blocks#block-while-unpaid
  it('ends at the announced date of a late payment when the cause gives less', () => {
    const { after: late } = changed(paidUp, rejected(), plus(due, HOUR));
    const announced = accessUntil(late, plus(due, HOUR));
    expect(announced).toEqual(plus(setupEnd, HOUR));
    const now = plus(due, DAY);
    const { after } = changed(late, blocked('receiver_account_frozen', now), now);
    expect(accessUntil(after, now)).toEqual(announced);
    expect(accessUntil(after, plus(setupEnd, HOUR))).toBeNull();
  });

  // blocks#silence-inside-a-block
  it.each(['transport', 'solana_4615026', 'send_unconfirmed', 'landing_unknown', 'gone_unconfirmed'])(
    'keeps its reason when nothing is learnt of the cause (%s)',
    (reason) => {
      const { after: begun } = changed(paidUp, blocked('receiver_account_frozen', due), due);
      expect(changed(begun, blocked(reason, due), due).after.blockedReason).toBe('receiver_account_frozen');
      expect(changed(paidUp, blocked(reason, due), due).after.blockedReason).toBe('mesub');
      const { after: byIssuer } = changed(paidUp, blocked('mint_paused', due), due);
      expect(changed(byIssuer, blocked(reason, due), due).after.blockedReason).toBe('mint_paused');
    },
  );
});

describe('the date of an automatic retry', () => {
  const first = plus(due, DAY);

  // retries#manual-retry-keeps-the-schedule
  it('is that of the blocked try, whatever a manual retry between does', () => {
    const { after: late } = changed(paidUp, rejected(), due);
    const { after: waiting } = changed(late, blocked('transport', first), first);
    const again = plus(first, 10 * MINUTE);
    expect(waiting.late?.automatic).toMatchObject({ spent: 0, nextAt: again });
    const now = plus(first, 2 * MINUTE);
    const { after: queued } = changed(waiting, { kind: 'retry_queued' }, now);
    for (const outcome of [rejected(), blocked('transport', now)]) {
      const { after, events } = changed(queued, outcome, plus(now, MINUTE));
      expect(after).toMatchObject({ nextTryAt: again, late: { automatic: { spent: 0, nextAt: again } } });
      for (const { detail } of events) expect(detail).toMatchObject({ next_retry_at: again.toISOString() });
    }
  });

  // retries#manual-retry-keeps-the-schedule
  it('is never in the past in an event', () => {
    const { after: late } = changed(paidUp, rejected(), due);
    const { after: queued } = changed(late, { kind: 'retry_queued' }, plus(first, -MINUTE));
    const now = plus(first, MINUTE);
    const { events } = changed(queued, rejected(), now);
    expect(events[0]?.detail).toMatchObject({ next_retry_at: now.toISOString() });
  });

  // retries#second-missed-period, access#second-miss-brings-no-grace
  it('begins anew with a second missed period, while access ends at the date announced for the first', () => {
    const patient = { ...plan, retryPolicy: { attempts: 2, waitMs: 14 * DAY } };
    const { after: late } = changed(paidUp, rejected(), plus(due, 5 * DAY), patient);
    const announced = nextDue;
    expect(late.late?.graceUntil).toEqual(announced);
    const { after } = changed(late, rejected(nextDue), nextDue, patient);
    expect(after.late).toMatchObject({
      periodStart: nextDue,
      graceUntil: announced,
      automatic: { spent: 0 },
    });
    const { after: third } = changed(after, rejected(nextDue), plus(nextDue, 14 * DAY), patient);
    expect(third.late?.graceUntil).toEqual(announced);
  });
});

// events#event-types-and-detail
describe('the retry mode of a failed payment', () => {
  const ending = (ms: number): Plan => ({ ...plan, endsAt: plus(due, ms) });
  const failedAt = (now: Date, on: Plan, tier = TIERS.business, before = paidUp) =>
    changed(before, rejected(), now, on, tier).events[0]?.detail;

  it('is null, with no retry left, when the plan ends before the next one', () => {
    const none = { next_retry_at: null, retries_left: 0, retry_mode: null };
    expect(failedAt(due, ending(DAY))).toMatchObject(none);
    const on = ending(2 * DAY);
    const { after: late } = changed(paidUp, rejected(), due, on);
    const second = plus(due, DAY);
    expect(failedAt(due, on)).toMatchObject({ retry_mode: 'scheduled', next_retry_at: second.toISOString() });
    expect(failedAt(second, on, TIERS.business, late)).toMatchObject(none);
  });

  // retries#retry-deadline-on-free
  it('is null on Free when the first charge is rejected after the deadline', () => {
    const deadline = plus(nextDue, -2 * MINUTE);
    const none = { retry_deadline: deadline.toISOString(), retries_left: 0, retry_mode: null };
    expect(failedAt(plus(deadline, MINUTE), plan, TIERS.free)).toMatchObject(none);
    expect(failedAt(deadline, plan, TIERS.free)).toMatchObject(none);
    const before = failedAt(plus(deadline, -1), plan, TIERS.free);
    expect(before).toMatchObject({ retries_left: 3, retry_mode: 'manual' });
  });

  it('is null on Free when no manual retry can come before the deadline', () => {
    const { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
    const deadline = plus(nextDue, -2 * MINUTE);
    for (const [left, mode] of [
      [11, 'manual'],
      [10, null],
      [9, null],
    ] as const) {
      const now = plus(deadline, -left * MINUTE);
      const { after: queued } = changed(late, { kind: 'retry_queued' }, now, plan, TIERS.free);
      const detail = failedAt(now, plan, TIERS.free, queued);
      expect(detail).toMatchObject({ retry_mode: mode, retries_left: mode === null ? 0 : 2 });
    }
  });
});

// retries#first-charge-of-a-second-period-by-hand
describe('a manual retry that is the first charge of a second missed period', () => {
  const { after: late } = changed(paidUp, rejected(), due);
  const asked = plus(nextDue, -MINUTE);
  const { after: queued } = changed(late, { kind: 'retry_queued' }, asked);
  const byHand = plus(nextDue, MINUTE);

  it("leaves the plan's retries as they were, and the period begins with the plan's own next try", () => {
    const { attempt, after, events } = changed(queued, rejected(nextDue), byHand);
    expect(attempt).toMatchObject({ retry: false, retryNumber: null, retriesAllowed: null });
    expect(after).toMatchObject({
      status: 'unpaid',
      nextTryAt: byHand,
      late: { periodStart: due, queuedAt: null, automatic: { spent: 0, allowed: 3, nextAt: byHand } },
    });
    expect(events[0]?.detail).toMatchObject({
      period_start: nextDue.toISOString(),
      next_retry_at: byHand.toISOString(),
      retries_left: 3,
    });

    const own = plus(byHand, MINUTE);
    const second = changed(after, rejected(nextDue), own);
    expect(second.attempt).toMatchObject({ retry: true, retryNumber: null, retriesAllowed: null });
    expect(second.after.late).toMatchObject({
      periodStart: nextDue,
      automatic: { spent: 0, allowed: 3, nextAt: plus(own, DAY) },
      byHand: { count: 1, lastAt: byHand },
    });
    const third = changed(second.after, rejected(nextDue), plus(own, DAY));
    expect(third.attempt).toMatchObject({ retry: true, retryNumber: 1, retriesAllowed: 3 });
  });

  it('keeps the date of the next retry where that is ahead', () => {
    const ahead = plus(nextDue, HOUR);
    const { automatic } = late.late ?? {};
    if (automatic === undefined || automatic === null) throw new Error('No retry is dated.');
    const waiting = {
      ...queued,
      late: { ...late.late, queuedAt: asked, automatic: { ...automatic, nextAt: ahead } },
    };
    const { after } = changed(waiting as Subscription, rejected(nextDue), byHand);
    expect(after).toMatchObject({ nextTryAt: ahead, late: { automatic: { ...automatic, nextAt: ahead } } });
  });

  it('counts the manual retries of that period from one', () => {
    const { after } = changed(queued, rejected(nextDue), byHand);
    expect(after.late?.byHand).toEqual({ count: 1, lastAt: byHand });
    const { after: again } = changed(after, { kind: 'retry_queued' }, plus(byHand, 20 * MINUTE));
    const later = plus(byHand, 21 * MINUTE);
    expect(changed(again, rejected(nextDue), later).after.late?.byHand).toEqual({ count: 2, lastAt: later });
  });
});

// retries#manual-retry-near-a-boundary, attempts#attempt-retry-fields
describe('a manual retry that is settled in another period than it charged', () => {
  const { after: late } = changed(paidUp, rejected(), due);
  const { after: queued } = changed(late, { kind: 'retry_queued' }, plus(nextDue, -MINUTE));

  it.each<[string, Date, number, { retry: boolean; count: number }]>([
    ['one of the first period, before the boundary', due, -1, { retry: false, count: 0 }],
    ['one of the first period, at the boundary', due, 0, { retry: false, count: 0 }],
    ['one of the first period, long after it', due, DAY, { retry: false, count: 0 }],
    ['one of the second period', nextDue, MINUTE, { retry: true, count: 1 }],
    ['one of the second period, by a chain whose clock is ahead', nextDue, -2_000, { retry: true, count: 1 }],
  ])('counts for that: %s', (_, charged, ms, { retry, count }) => {
    const settledAt = plus(nextDue, ms);
    const first = changed(queued, rejected(charged), settledAt);
    expect(first.after.late?.byHand.count).toBe(1);
    const own = changed(first.after, rejected(nextDue), plus(settledAt, MINUTE));
    expect(own.attempt).toMatchObject({ retry, retryNumber: null, retriesAllowed: null });
    expect(own.after.late).toMatchObject({
      periodStart: nextDue,
      automatic: { spent: 0 },
      byHand: { count },
    });
  });
});

// access#grace-ends-with-its-period
describe('the grace of a late payment', () => {
  const first = plus(nextDue, -2 * DAY);

  it('ends at the latest with the period that was missed, from the first announcement on', () => {
    const { after, events } = changed(paidUp, rejected(), first);
    expect(after.late?.graceUntil).toEqual(nextDue);
    expect(events[0]?.data).toMatchObject({ access_until: nextDue.toISOString() });
    const { after: second } = changed(after, rejected(), plus(first, DAY));
    expect(accessUntil(second, plus(first, DAY))).toEqual(nextDue);
    expect(accessUntil(second, nextDue)).toBeNull();
    expect(changed(second, { kind: 'access_ended' }, nextDue).events.map(({ type }) => type)).toEqual([
      'subscription.access_revoked',
    ]);
  });

  it('is not changed where all retries fit into the period', () => {
    const { after } = changed(paidUp, rejected(), plus(nextDue, -3 * DAY));
    expect(after.late?.graceUntil).toEqual(nextDue);
    expect(changed(paidUp, rejected(), due).after.late?.graceUntil).toEqual(plus(due, 3 * DAY));
  });
});

describe('a late subscription on Free', () => {
  // retries#plan-end-before-the-deadline
  it('waits for the end of the plan where that comes before the deadline', () => {
    const endsAt = plus(due, 10 * DAY);
    const ending = { ...plan, endsAt };
    const { after: late } = changed(paidUp, rejected(), due, ending, TIERS.free);
    expect(late).toMatchObject({ nextTryAt: plus(endsAt, 1_000), late: { deadline: endsAt } });
    const { after: queued } = changed(late, { kind: 'retry_queued' }, plus(due, DAY), ending, TIERS.free);
    const now = plus(due, DAY);
    const { after } = changed(queued, blocked('transport', now), now, ending, TIERS.free);
    expect(after.nextTryAt).toEqual(plus(endsAt, 1_000));
  });
});

// cancel-resume-close#resumed-while-behind
describe('a cancellation that the wallet takes back on chain', () => {
  const cancel: Transition = { kind: 'cancelled', expiresAt: nextDue, nextTryAt: nextDue };
  const { after: late } = changed(paidUp, rejected(), due);
  const { after: secondTry } = changed(late, rejected(), plus(due, DAY));

  it('leaves a late subscription the retries, the grace and the access that it had', () => {
    const { after: cancelled } = changed(secondTry, cancel, plus(due, DAY + HOUR));
    expect(cancelled).toMatchObject({ status: 'cancelled', late: null, lastAnnouncedAccess: false });
    const { after, events } = changed(cancelled, { kind: 'resumed' }, plus(due, DAY + 2 * HOUR));
    const { status, late, lateReason, nextTryAt, accessEndsAt, cancellation } = after;
    expect({ status, late, lateReason, nextTryAt, accessEndsAt, cancellation }).toEqual({
      ...{ status: 'unpaid', late: secondTry.late, lateReason: secondTry.lateReason },
      ...{ nextTryAt: plus(due, 2 * DAY), accessEndsAt: secondTry.accessEndsAt, cancellation: null },
    });
    expect(events.map(({ type }) => type)).toEqual(['subscription.resumed', 'subscription.access_granted']);
  });

  it('brings no access back once the grace is over', () => {
    const { after: cancelled } = changed(late, cancel, plus(due, HOUR));
    const now = plus(due, 10 * DAY);
    const { after, events } = changed(cancelled, { kind: 'resumed' }, now);
    expect(after).toMatchObject({ status: 'unpaid', lastAnnouncedAccess: false, nextTryAt: now });
    expect(events).toMatchObject([
      { type: 'subscription.resumed', data: { next_retry_at: now.toISOString() } },
    ]);
    const { after: again } = changed(after, rejected(), now);
    expect(again).toMatchObject({ late: { automatic: { spent: 1 } }, lastAnnouncedAccess: false });
  });

  it('lets a deadline that passed meanwhile stop nothing on Free', () => {
    const { after: late } = changed(paidUp, rejected(), due, plan, TIERS.free);
    const { after: cancelled } = changed(late, cancel, plus(due, HOUR), plan, TIERS.free);
    const now = plus(nextDue, HOUR);
    const { after } = changed(cancelled, { kind: 'resumed' }, now, plan, TIERS.free);
    expect(after).toMatchObject({ status: 'unpaid', late: { deadline: null }, nextTryAt: now });
  });

  it('goes by the tier of the resume', () => {
    const { after: cancelled } = changed(late, cancel, plus(due, HOUR));
    const now = plus(due, 3 * HOUR);
    const { after, events } = changed(cancelled, { kind: 'resumed' }, now, plan, TIERS.free);
    expect(after).toMatchObject({ late: { automatic: null, deadline: plus(nextDue, -2 * MINUTE) } });
    expect(events.map(({ type }) => type)).toEqual(['subscription.resumed']);
  });

  it('leaves a late subscription late also when it was cancelled twice', () => {
    const { after: cancelled } = changed(secondTry, cancel, plus(due, DAY + HOUR));
    const { after: again } = changed(cancelled, cancel, plus(due, DAY + 2 * HOUR));
    const { after } = changed(again, { kind: 'resumed' }, plus(due, DAY + 3 * HOUR));
    expect(after).toMatchObject({ status: 'unpaid', late: secondTry.late });
  });

  it('lets a stopped subscription run again, without access until it pays', () => {
    const { after: third } = changed(secondTry, rejected(), plus(due, 2 * DAY));
    const { after: stopped } = changed(third, rejected(), plus(due, 3 * DAY));
    const { after: cancelled } = changed(stopped, cancel, plus(due, 4 * DAY));
    const now = plus(due, 5 * DAY);
    const { after } = changed(cancelled, { kind: 'resumed' }, now);
    expect(after).toMatchObject({ status: 'unpaid', nextTryAt: now, lastAnnouncedAccess: false });
    const { after: failed } = changed(after, rejected(), now);
    expect(failed).toMatchObject({ late: { automatic: { spent: 1 } }, lastAnnouncedAccess: false });
    const payment = { amount: plan.amount, received: null, periodStart: due, signature: 'S' };
    const { after: paid } = changed(failed, { kind: 'paid', payment }, plus(now, DAY));
    expect(paid).toMatchObject({ status: 'active', lastAnnouncedAccess: true });
  });

  it('leaves one active whose payment landed while it was cancelled', () => {
    const { after: cancelled } = changed(late, cancel, plus(due, HOUR));
    const payment = { amount: plan.amount, received: null, periodStart: due, signature: 'S' };
    const { after: paid } = changed(cancelled, { kind: 'paid', payment }, plus(due, 2 * HOUR));
    expect(paid).toMatchObject({ status: 'cancelled', lastAnnouncedAccess: true, accessEndsAt: nextDue });
    const { after } = changed(paid, { kind: 'resumed' }, plus(due, 3 * HOUR));
    expect(after).toMatchObject({ status: 'active', late: null, lastAnnouncedAccess: true });
  });

  it('leaves one late whose earlier period was paid while it was cancelled', () => {
    const { after: second } = changed(late, rejected(nextDue), nextDue);
    const expiresAt = plus(nextDue, 30 * DAY);
    const { after: cancelled } = changed(
      second,
      { kind: 'cancelled', expiresAt, nextTryAt: expiresAt },
      plus(nextDue, HOUR),
    );
    const payment = { amount: plan.amount, received: null, periodStart: due, signature: 'S' };
    const { after: paid } = changed(cancelled, { kind: 'paid', payment }, plus(nextDue, 2 * HOUR));
    expect(paid).toMatchObject({ status: 'cancelled', lastAnnouncedAccess: false });
    const { after } = changed(paid, { kind: 'resumed' }, plus(nextDue, 3 * HOUR));
    expect(after).toMatchObject({ status: 'unpaid', late: { periodStart: nextDue } });
  });
});

describe('what is over', () => {
  const stopped = aSubscription({ planId: plan.id, status: 'stopped', stopReason: 'out_of_retries' });

  // cancel-resume-close#end-reason-after-closing
  it.each([
    { kind: 'cancelled', expiresAt: nextDue, nextTryAt: nextDue },
    { kind: 'closed' },
    { kind: 'ended', reason: 'closed_elsewhere', cancelledUntil: null },
    { kind: 'superseded' },
  ] as const)('keeps no stop_reason once it is $kind', (transition) => {
    expect(changed(stopped, transition, due).after.stopReason).toBeNull();
  });

  // cancel-resume-close#cancellation-wins-over-plan-end
  it.each([
    ['plan_ended', 'cancelled'],
    ['plan_removed', 'cancelled'],
    ['plan_replaced', 'cancelled'],
    ['closed_elsewhere', 'closed_elsewhere'],
  ] as const)('ends as cancelled when it was, although the chain shows %s', (reason, endReason) => {
    const { after: cancelled } = changed(paidUp, { kind: 'cancelled', expiresAt: due, nextTryAt: due }, T0);
    const { after } = changed(cancelled, { kind: 'ended', reason, cancelledUntil: null }, plus(due, -1));
    expect(after).toMatchObject({ status: 'ended', endReason, closedAt: null });
  });

  // cancel-resume-close#closed-by-its-wallet-after-the-end
  it('ends as cancelled and counts as closed when it is gone from its expiry on', () => {
    const { after: cancelled } = changed(paidUp, { kind: 'cancelled', expiresAt: due, nextTryAt: due }, T0);
    const { after, attempt, events } = changed(
      cancelled,
      { kind: 'ended', reason: 'closed_elsewhere', cancelledUntil: null },
      due,
    );
    expect(after).toMatchObject({ status: 'ended', endReason: 'cancelled', closedAt: due });
    expect(attempt).toBeNull();
    expect(events.at(-1)?.detail).toEqual({ changed_at: due.toISOString(), end_reason: 'cancelled' });
  });
});
