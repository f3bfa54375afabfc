import { describe, expect, it } from 'vitest';

import { TIERS } from '../../contract/tiers.js';
import type { Late, Plan, Subscription } from '../../records/index.js';
import { endShownOnChain, periodFrom, plus } from '../../rules/billing-periods.js';
import { MADE_AT as T0, aPlan, aSubscription } from '../../testing/records.js';
import type { Transition } from '../transition.js';
import { change } from './checked-change.js';
import { MINUTE, DAY } from '../../testing/units-of-time.js';

const plan = aPlan();
const { end: due } = periodFrom(T0, plan);
const { end: nextDue } = periodFrom(due, plan);
/** In the last two minutes of the missed period. */
const now = plus(nextDue, -MINUTE);

const late: Late = {
  periodStart: due,
  graceUntil: null,
  automatic: { spent: 1, allowed: 3, waitMs: DAY, nextAt: plus(due, 2 * DAY) },
  deadline: null,
  byHand: { count: 0, lastAt: null },
  queuedAt: plus(now, -5 * MINUTE),
};
const onFree: Late = { ...late, automatic: null, deadline: plus(nextDue, -2 * MINUTE) };

function changed(before: Subscription, transition: Transition, at: Date, on: Plan = plan) {
  return change(before, transition, { plan: on, tier: TIERS.free, now: at });
}

const unpaid = (of: Late, pausedAt: Date | null = null) =>
  aSubscription({ planId: plan.id, status: 'unpaid', late: of, pausedAt });

const rejected: Transition = {
  ...{ kind: 'rejected', reason: 'insufficient_balance' },
  ...{ amount: plan.amount, periodStart: due },
};
const blocked: Transition = {
  ...{ kind: 'blocked', reason: 'transport', block: 'mesub', nextTryAt: plus(now, 10 * MINUTE) },
  ...{ amount: plan.amount, periodStart: due },
};

// retries#deadline-that-passed-unnoticed
describe('a missed period whose deadline passed while nobody could retry it', () => {
  it.each<[string, Subscription, Transition]>([
    ['a downgrade', unpaid(late), { kind: 'tier_changed' }],
    ['a seat that returns', unpaid(onFree, due), { kind: 'unpaused' }],
  ])('after %s lets a retry that was queued run, and dates the next period after it', (_, before, by) => {
    const { after: queued } = changed(before, by, now);
    expect(queued).toMatchObject({ nextTryAt: now, late: { automatic: null, deadline: null } });
    for (const [outcome, settledAt] of [
      [rejected, now],
      [rejected, plus(nextDue, MINUTE)],
      [blocked, now],
    ] as const) {
      const { after, events } = changed(queued, outcome, settledAt);
      expect(after).toMatchObject({ status: 'unpaid', nextTryAt: nextDue, late: { queuedAt: null } });
      const none = { retry_deadline: null, retries_left: 0, retry_mode: null };
      for (const { type, detail } of events)
        if (type === 'subscription.payment_failed') expect(detail).toMatchObject(none);
    }
  });

  it('ends with the plan where that ends before the next period', () => {
    const ending = { ...plan, endsAt: nextDue };
    const { after: queued } = changed(unpaid({ ...onFree, deadline: null }), rejected, now, ending);
    expect(queued.nextTryAt).toEqual(endShownOnChain(nextDue));
  });
});
