import { expect, it } from 'vitest';

import { dayOf, sumOfFigures } from '../records/index.js';
import { aPlan, aSubscription } from '../testing/records.js';
import { DAY, HOUR } from '../testing/units-of-time.js';
import { byPlanAndDay, dueOf, figuresOfDue } from './figures.js';

// figures#what-is-due
it('what is due is counted on its day, by its hour and the hours to the charge after it', () => {
  const plan = aPlan({ periodHours: 36 });
  const at = (hours: number, minutes = 0) => new Date(20 * DAY + hours * HOUR + minutes * 60_000);
  const due = (nextTryAt: Date, paidPeriodEnd: Date | null) =>
    aSubscription({ planId: plan.id, projectId: plan.projectId, nextTryAt, paidPeriodEnd });
  const subscriptions = [
    due(at(13, 5), at(13, 5)),
    due(at(13, 50), at(13, 50)),
    due(at(15), at(13)),
    due(at(23), null),
  ];
  const figures = byPlanAndDay(subscriptions.flatMap((one) => figuresOfDue(one, plan, 1n)));
  expect(figures.map(({ day }) => day)).toEqual([dayOf(at(0))]);
  expect(figures.flatMap(dueOf)).toEqual([
    { kind: 'charge', at: at(13), hoursToNext: 36, count: 2 },
    { kind: 'charge', at: at(15), hoursToNext: 34, count: 1 },
    { kind: 'charge', at: at(23), hoursToNext: null, count: 1 },
  ]);

  const taken = subscriptions.flatMap((one) => figuresOfDue(one, plan, -1n));
  expect(byPlanAndDay([...figures, ...taken])).toEqual([]);
  expect(dueOf([...figures, ...taken].reduce(sumOfFigures))).toEqual([]);
});
