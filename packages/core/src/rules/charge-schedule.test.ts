import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { DueSubscription, Plan } from '../records/index.js';
import { aPlan, aSubscription } from '../testing/records.js';
import { LAST_MINUTES_MS, plus } from './billing-periods.js';
import { dayOf } from '../records/index.js';
import { chargeSchedule, dueCharge } from './charge-schedule.js';
import { HOUR, DAY } from '../testing/units-of-time.js';

const at = (days: number) => new Date(days * DAY);

const LATE = {
  ...{ periodStart: at(3), graceUntil: null, deadline: null, queuedAt: null },
  automatic: { spent: 0, allowed: 3, waitMs: HOUR, nextAt: at(4) },
  byHand: { count: 0, lastAt: null },
} as const;

/** The charges on each day from noon of day 2 to the end of day 9, of one that is paid to day 3. */
function schedule(periodHours: number, given: Partial<DueSubscription> = {}, plan: Partial<Plan> = {}) {
  const paidTo = { paidPeriodEnd: at(3), nextTryAt: at(3) };
  const subscription = aSubscription({ ...paidTo, ...given });
  const ofPlan = aPlan({ periodHours, ...plan });
  const due = dueCharge(subscription, ofPlan);
  const days = due === null ? [] : chargeSchedule(due, ofPlan, at(2.5), at(10));
  return days.map(({ day, kind, count }) => `${day.getTime() / DAY} ${kind} ${count}`);
}

// management#sums-by-day
describe('what is due on each day', () => {
  it.each<[string, string[], string[]]>([
    ['one charge of a long period', schedule(720), ['3 charge 1']],
    ['none after the last day', schedule(720, { nextTryAt: at(10) }), []],
    ['a charge a week', schedule(144), ['3 charge 1', '9 charge 1']],
    [
      'many a day',
      schedule(6, { nextTryAt: at(8.5), paidPeriodEnd: at(8.5) }),
      ['8 charge 1', '8 charge 1', '9 charge 4'],
    ],
    [
      'what is overdue, today',
      schedule(96, { nextTryAt: at(1), paidPeriodEnd: at(1) }),
      ['2 charge 1', '5 charge 1', '9 charge 1'],
    ],
    [
      'periods that nobody collects any more, once',
      schedule(12, { nextTryAt: at(1), paidPeriodEnd: at(1) }).slice(0, 2),
      ['2 charge 1', '3 charge 2'],
    ],
    [
      'the grid, and not a date that a block moved',
      schedule(72, { nextTryAt: at(4) }),
      ['4 charge 1', '6 charge 1', '9 charge 1'],
    ],
    [
      'a retry, and then the charges of the grid',
      schedule(72, { status: 'unpaid', late: LATE, nextTryAt: at(4) }),
      ['4 retry 1', '6 charge 1', '9 charge 1'],
    ],
    [
      'nothing from the end of the plan on',
      schedule(48, {}, { endsAt: at(7) }),
      ['3 charge 1', '5 charge 1'],
    ],
    [
      'a charge just before its last two minutes',
      schedule(48, {}, { endsAt: plus(at(7), LAST_MINUTES_MS + 1) }),
      ['3 charge 1', '5 charge 1', '7 charge 1'],
    ],
    ['nothing once the plan is over', schedule(24, { nextTryAt: at(1) }, { endsAt: at(2) }), []],
    ['nothing of a cancelled one', schedule(24, { status: 'cancelled' }), []],
    ['nothing of a parked one', schedule(24, { pausedAt: at(1) }), []],
    ['nothing of one that does not run', schedule(24, { status: 'stopped' }), []],
    ['one charge of a subscription without a grid', schedule(24, { paidPeriodEnd: null }), ['3 charge 1']],
  ])('is %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('is as many charges as there are boundaries of the grid before the end', () => {
    const given = fc.record({
      periodHours: fc.integer({ min: 1, max: 400 }),
      paidHour: fc.integer({ min: -500, max: 500 }),
      days: fc.integer({ min: 1, max: 90 }),
      endsIn: fc.option(fc.integer({ min: 1, max: 2000 })),
    });
    fc.assert(
      fc.property(given, ({ periodHours, paidHour, days, endsIn }) => {
        const now = at(0);
        const paidEnd = new Date(paidHour * HOUR);
        const plan = aPlan({ periodHours, endsAt: endsIn === null ? null : new Date(endsIn * HOUR + 7) });
        const subscription = aSubscription({ paidPeriodEnd: paidEnd, nextTryAt: paidEnd });
        const due = dueCharge(subscription, plan);
        if (due === null) throw new Error('A charge is due.');
        const found = chargeSchedule(due, plan, now, at(days));
        const last = Math.min(days * DAY, endsIn === null ? Infinity : endsIn * HOUR + 7 - LAST_MINUTES_MS);
        const expected = new Map<number, number>();
        if (paidEnd.getTime() < last) {
          const first = Math.max(paidEnd.getTime(), 0);
          const dates = [first];
          for (let date = paidEnd.getTime(); date < last; date += periodHours * HOUR)
            if (date > first) dates.push(date);
          for (const date of dates) {
            const day = dayOf(new Date(date)).getTime();
            expected.set(day, (expected.get(day) ?? 0) + 1);
          }
        }
        const counted = new Map<number, number>();
        for (const { day, count } of found)
          counted.set(day.getTime(), (counted.get(day.getTime()) ?? 0) + count);
        expect(counted).toEqual(expected);
      }),
    );
  });
});
