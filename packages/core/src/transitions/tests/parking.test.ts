import { describe, expect, it } from 'vitest';

import { TIERS } from '../../contract/tiers.js';
import type { Late, Plan, Subscription } from '../../records/index.js';
import { LAST_MINUTES_MS, endShownOnChain, periodFrom, plus } from '../../rules/billing-periods.js';
import { MADE_AT as T0, aPlan, aSubscription } from '../../testing/records.js';
import type { Transition } from '../transition.js';
import { change } from './checked-change.js';
import { DAY } from '../../testing/units-of-time.js';

const plan = aPlan();
const { end: due } = periodFrom(T0, plan);
const { end: nextDue } = periodFrom(due, plan);
const paidUp = aSubscription({ planId: plan.id, lastAnnouncedAccess: true });

function after(
  before: Partial<Subscription>,
  kind: 'paused' | 'unpaused' | 'tier_changed',
  now: Date,
  { on = plan, tier = TIERS.business }: { on?: Plan; tier?: typeof TIERS.free } = {},
) {
  return change({ ...paidUp, ...before }, { kind } satisfies Transition, { plan: on, tier, now });
}

/** A missed first renewal, with one automatic retry spent. */
const late: Late = {
  periodStart: due,
  graceUntil: plus(due, 3 * DAY),
  automatic: { spent: 1, allowed: 3, waitMs: DAY, nextAt: plus(due, 2 * DAY) },
  deadline: null,
  byHand: { count: 0, lastAt: null },
  queuedAt: null,
};
const lateOnFree: Late = {
  ...late,
  graceUntil: null,
  automatic: null,
  deadline: plus(nextDue, -LAST_MINUTES_MS),
  byHand: { count: 2, lastAt: due },
};
const unpaid = (of: Late, pausedAt: Date | null = due): Partial<Subscription> => ({
  status: 'unpaid',
  lateReason: 'insufficient_balance',
  late: of,
  pausedAt,
});

// seats-and-tiers#no-charge-while-parked, events#pause-and-unpause-events
it('parking keeps the status and every date, and raises paused', () => {
  const now = plus(T0, DAY);
  const { after: parked, events, attempt } = after({}, 'paused', now);
  expect(parked).toMatchObject({ status: 'active', pausedAt: now, nextTryAt: paidUp.nextTryAt });
  expect(events.map(({ type, detail }) => [type, detail])).toEqual([
    ['subscription.paused', { changed_at: now.toISOString() }],
  ]);
  expect(attempt).toBeNull();
});

// events#order-within-one-change
it('parking a late subscription ends its access', () => {
  const { events } = after(unpaid(late, null), 'paused', plus(due, DAY));
  expect(events.map(({ type }) => type)).toEqual(['subscription.access_revoked', 'subscription.paused']);
});

// seats-and-tiers#charge-on-unparking
describe('a seat that returns', () => {
  const ending = { ...plan, endsAt: plus(due, 60_000) };
  it.each([
    ['while the paid period runs: at its end', {}, plus(T0, DAY), due],
    ['when the paid period is over: at once', {}, plus(due, 5), plus(due, 5)],
    ['late, before its next retry: at its date', unpaid(late), plus(due, DAY), plus(due, 2 * DAY)],
    ['late, after the date of its next retry: at once', unpaid(late), plus(due, 9 * DAY), plus(due, 9 * DAY)],
    ['late, after the missed period: at once', unpaid(late), plus(nextDue, 5), plus(nextDue, 5)],
    ['late on Free, before the deadline: then', unpaid(lateOnFree), plus(due, DAY), lateOnFree.deadline],
    [
      'late on Free, in the last two minutes: at the next period',
      unpaid(lateOnFree),
      plus(nextDue, -1),
      nextDue,
    ],
    [
      'late on Free, after the missed period: at once',
      unpaid(lateOnFree),
      plus(nextDue, 5),
      plus(nextDue, 5),
    ],
    ['with a retry queued: at once', unpaid({ ...late, queuedAt: due }), plus(due, 5), plus(due, 5)],
    ['without signed terms: as before', { termsSigned: false, nextTryAt: null }, plus(due, 5), null],
    [
      'cancelled: at its expiry as before',
      { status: 'cancelled' as const, nextTryAt: nextDue },
      plus(due, 5),
      nextDue,
    ],
  ] as const)('is charged next %s', (_, before, now, nextTryAt) => {
    const { after: back } = after({ pausedAt: T0, ...before }, 'unpaused', now);
    expect(back).toMatchObject({ pausedAt: null, nextTryAt });
  });

  it('of a plan that ends with the paid period is read at the end of the plan', () => {
    const { after: back } = after({ pausedAt: T0 }, 'unpaused', plus(T0, DAY), { on: ending });
    expect(back.nextTryAt).toEqual(endShownOnChain(ending.endsAt));
  });

  it('keeps a deadline that is ahead, and is not stopped by one that passed while it was parked', () => {
    const deadlineAfter = (now: Date) => after(unpaid(lateOnFree), 'unpaused', now).after.late?.deadline;
    expect(deadlineAfter(plus(due, DAY))).toEqual(lateOnFree.deadline);
    expect(deadlineAfter(plus(nextDue, -1))).toBeNull();
  });

  it('has access again while its charge runs, and says so after unpaused', () => {
    const before = { pausedAt: T0, lastAnnouncedAccess: false };
    const { events } = after(before, 'unpaused', plus(due, 5));
    expect(events.map(({ type }) => type)).toEqual(['subscription.unpaused', 'subscription.access_granted']);
  });
});

// retries#downgrade-while-late
describe('a downgrade to Free while late', () => {
  it('ends the automatic retries and the access they gave, sets the deadline, and allows three manual retries', () => {
    const before = unpaid({ ...late, byHand: { count: 2, lastAt: due } }, null);
    const { after: free, events } = after(before, 'tier_changed', plus(due, DAY), { tier: TIERS.free });
    // The first of the three still waits after the last one that was made.
    expect(free.late).toEqual({ ...lateOnFree, byHand: { count: 0, lastAt: due } });
    expect(free.nextTryAt).toEqual(lateOnFree.deadline);
    expect(events.map(({ type }) => type)).toEqual(['subscription.access_revoked']);
  });
});

// retries#upgrade-while-late
describe('an upgrade from Free while late', () => {
  it('starts the automatic retries one wait later, and gives no access back', () => {
    const now = plus(due, 5 * DAY);
    const { after: dev, events } = after(
      { ...unpaid(lateOnFree, null), lastAnnouncedAccess: false },
      'tier_changed',
      now,
      { tier: TIERS.dev },
    );
    const automatic = { spent: 0, allowed: 3, waitMs: DAY, nextAt: plus(now, DAY) };
    expect(dev.late).toEqual({ ...lateOnFree, deadline: null, automatic });
    expect(dev.nextTryAt).toEqual(plus(now, DAY));
    expect(events).toEqual([]);
  });

  it('changes nothing where the tier before had automatic retries too', () => {
    expect(after(unpaid(late, null), 'tier_changed', due, { tier: TIERS.dev }).after.late).toEqual(late);
  });
});
