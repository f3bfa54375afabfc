import { describe, expect, it } from 'vitest';

import type { DueSubscription, Late } from '../records/index.js';
import { aPlan, aSubscription } from '../testing/records.js';
import { upcomingPlanEnd, upcomingTry } from './upcoming.js';
import { HOUR } from '../testing/units-of-time.js';

const at = (hour: number) => new Date(hour * HOUR);

const LATE: Late = {
  periodStart: at(0),
  graceUntil: null,
  automatic: { spent: 0, allowed: 3, waitMs: HOUR, nextAt: at(10) },
  deadline: null,
  byHand: { count: 0, lastAt: null },
  queuedAt: null,
};
const ON_FREE: Late = { ...LATE, automatic: null, deadline: at(10) };

type Given = Partial<DueSubscription>;

/** The next events of a subscription with a try at hour 10, given its plan's end. */
function next(given: Given, endsAt: number | null): readonly (string | null)[] {
  const plan = aPlan({ endsAt: endsAt === null ? null : at(endsAt) });
  const subscription = aSubscription({ nextTryAt: at(10), ...given });
  return [upcomingTry(subscription, plan), upcomingPlanEnd(subscription, plan)].map((upcoming) =>
    upcoming === null ? null : `${upcoming.reason ?? upcoming.kind} ${upcoming.dueAt.getTime() / HOUR}`,
  );
}

// management#upcoming-charges
describe('what comes next', () => {
  it.each<[string, Given, number | null, string | null, string | null]>([
    ['the charge of a paid one', {}, null, 'charge 10', null],
    ['its charge, and the end of its plan', {}, 20, 'charge 10', 'plan_ended 20'],
    ['no charge in the last two minutes of the plan', {}, 10, null, 'plan_ended 10'],
    ['no charge of one whose terms are not signed', { termsSigned: false }, 20, null, 'plan_ended 20'],
    ['no charge of a parked one', { pausedAt: at(1) }, 20, null, 'plan_ended 20'],
    ['nothing without a date', { nextTryAt: null }, null, null, null],
    ['the retry of a late one', { status: 'unpaid', late: LATE }, null, 'retry 10', null],
    ['no retry after the plan', { status: 'unpaid', late: LATE }, 9, null, 'plan_ended 9'],
    ['no retry of a parked one', { status: 'unpaid', late: LATE, pausedAt: at(1) }, null, null, null],
    ['the deadline on Free', { status: 'unpaid', late: ON_FREE }, null, 'retry_deadline_passed 10', null],
    [
      'the deadline before the plan',
      { status: 'unpaid', late: ON_FREE },
      11,
      'retry_deadline_passed 10',
      null,
    ],
    ['the plan before the deadline', { status: 'unpaid', late: ON_FREE }, 10, null, 'plan_ended 10'],
    ['a manual retry', { status: 'unpaid', late: { ...ON_FREE, queuedAt: at(10) } }, null, 'retry 10', null],
    [
      'the next period without a deadline',
      { status: 'unpaid', late: { ...ON_FREE, deadline: null } },
      null,
      'charge 10',
      null,
    ],
    ['the end of a cancelled one', { status: 'cancelled' }, 8, 'cancelled 10', null],
    [
      'the end of a cancelled one that is parked',
      { status: 'cancelled', pausedAt: at(1) },
      null,
      'cancelled 10',
      null,
    ],
  ])('is %s', (_, given, endsAt, tried, ended) => {
    expect(next(given, endsAt)).toEqual([tried, ended]);
  });
});
