import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SubscriptionStatus } from '../contract/enums.js';
import { TIERS } from '../contract/tiers.js';
import type { Late, Plan, Subscription } from '../records/index.js';
import { MADE_AT, aPlan, aSubscription } from '../testing/records.js';
import { DAY, HOUR, MINUTE } from '../testing/units-of-time.js';
import { periodFrom, plus } from './billing-periods.js';
import { nextWakeAt } from './next-wake.js';
import { nextReminder } from './reminders.js';

const plan = aPlan();
const paidEnd = periodFrom(MADE_AT, plan).end;
const week = plus(paidEnd, -7 * DAY);
const day = plus(paidEnd, -DAY);

const reminderOf = (
  more: Partial<Subscription> = {},
  now = MADE_AT,
  on: Partial<Plan> = {},
  mails = true,
) => {
  const subscription = aSubscription({ email: 'ada@example.com', ...more });
  const reminder = nextReminder(subscription, { plan: { ...plan, ...on }, tier: TIERS.business, now, mails });
  return reminder === null ? null : ([reminder.kind, reminder.at] as const);
};

/** A missed payment of which one automatic retry is left. */
const lastRetry = (waitMs: number, nextAt: Date): Partial<Subscription> => ({
  status: 'unpaid',
  late: {
    periodStart: paidEnd,
    graceUntil: nextAt,
    automatic: { spent: 2, allowed: 3, waitMs, nextAt },
    deadline: null,
    byHand: { count: 0, lastAt: null },
    queuedAt: null,
  },
});

const manual = (deadline: Date | null, count = 0): Partial<Subscription> => {
  const late: Late = {
    periodStart: paidEnd,
    graceUntil: null,
    automatic: null,
    deadline,
    byHand: { count, lastAt: null },
    queuedAt: null,
  };
  return { status: 'unpaid', late };
};

// mails#reminders, mails#reminder-after-its-date
describe('the next reminder', () => {
  it.each<[string, ReturnType<typeof reminderOf>, Partial<Subscription>, Date, Partial<Plan>]>([
    ['a week before the end of a month', ['renewal_ahead', week], {}, MADE_AT, {}],
    ['a read a day before it, after that', ['cannot_pay', day], { reminderNotBefore: day }, week, {}],
    ['the read alone once both are due', ['cannot_pay', day], {}, plus(day, HOUR), {}],
    ['none from the end of the period on', null, {}, paidEnd, {}],
    ['none once the read was made', null, { reminderNotBefore: paidEnd }, day, {}],
    [
      'ten minutes after a read without an answer',
      ['cannot_pay', plus(day, 10 * MINUTE)],
      { reminderNotBefore: plus(day, 10 * MINUTE) },
      day,
      {},
    ],
    ['none without an email', null, { email: null }, MADE_AT, {}],
    ['none of a parked seat', null, { pausedAt: MADE_AT }, MADE_AT, {}],
    ['none without signed terms', null, { termsSigned: false }, MADE_AT, {}],
    ['none while the record of the plan is incomplete', null, {}, MADE_AT, { createdOnChainAt: null }],
    ['the end of the plan with the period', ['plan_ends', week], {}, MADE_AT, { endsAt: paidEnd }],
    [
      'the end of the plan before that of the period',
      ['plan_ends', plus(paidEnd, -10 * DAY)],
      {},
      MADE_AT,
      { endsAt: plus(paidEnd, -3 * DAY) },
    ],
    ['none more of a plan that ends', null, { reminderNotBefore: paidEnd }, week, { endsAt: paidEnd }],
    [
      'a day before a last retry that waits for two',
      ['last_try', plus(paidEnd, 5 * DAY)],
      lastRetry(2 * DAY, plus(paidEnd, 6 * DAY)),
      plus(paidEnd, 4 * DAY),
      {},
    ],
    [
      'none of a last retry within a day of the failure that told of it',
      null,
      lastRetry(DAY, plus(paidEnd, 3 * DAY)),
      plus(paidEnd, 2 * DAY),
      {},
    ],
    ['none when a last retry is due', null, lastRetry(2 * DAY, week), week, {}],
    [
      'a day before the deadline of retries by hand',
      ['last_try', plus(paidEnd, 28 * DAY)],
      manual(plus(paidEnd, 29 * DAY)),
      plus(paidEnd, DAY),
      {},
    ],
    ['none when no retry by hand is left', null, manual(plus(paidEnd, 29 * DAY), 3), paidEnd, {}],
    ['none without a deadline', null, manual(null), paidEnd, {}],
  ])('is %s', (_, expected, subscription, now, on) => {
    expect(reminderOf(subscription, now, on)).toEqual(expected);
  });

  it.each([
    [1, 15 * MINUTE],
    [24, 6 * HOUR],
    [168, DAY],
    [671, DAY],
  ])('of a period of %i hours is a read %i ms before its end', (periodHours, lead) => {
    const paidPeriodEnd = plus(MADE_AT, periodHours * HOUR);
    const endsAt = plus(paidPeriodEnd, 30);
    expect(reminderOf({ paidPeriodEnd }, MADE_AT, { periodHours })).toEqual([
      'cannot_pay',
      plus(paidPeriodEnd, -lead),
    ]);
    expect(reminderOf({ paidPeriodEnd }, MADE_AT, { periodHours, endsAt })?.[0]).toBe('plan_ends');
  });

  it.each(SubscriptionStatus.options)('exists only of what runs, not of %s', (status) => {
    expect(reminderOf({ status }) !== null).toBe(status === 'active');
  });

  it('exists only where mails are sent', () => {
    expect(reminderOf({}, MADE_AT, {}, false)).toBeNull();
  });

  // invariants#timed-work-has-a-wake-date
  it('wakes the worker, and is made before the date of which it reminds, at any time', () => {
    const instant = fc.integer({ min: -10 * DAY, max: 60 * DAY }).map((ms) => plus(MADE_AT, ms));
    const maybe = fc.option(instant);
    fc.assert(
      fc.property(instant, maybe, maybe, fc.constantFrom(1, 168, 720), (now, notBefore, endsAt, hours) => {
        const at = {
          plan: { ...plan, endsAt, periodHours: hours },
          tier: TIERS.business,
          now,
          mails: true,
        };
        const subscription = aSubscription({ email: 'ada@example.com', reminderNotBefore: notBefore });
        const reminder = nextReminder(subscription, at);
        if (reminder === null) return;
        expect(reminder.at.getTime()).toBeLessThan(reminder.of.getTime());
        expect(nextWakeAt(subscription, at)?.getTime()).toBeLessThanOrEqual(reminder.at.getTime());
        // The one that follows is made later, and those of one period end.
        const next = nextReminder({ ...subscription, reminderNotBefore: reminder.next }, at);
        if (next !== null) expect(next.of.getTime() - next.at.getTime()).toBeLessThanOrEqual(DAY);
      }),
    );
  });
});
