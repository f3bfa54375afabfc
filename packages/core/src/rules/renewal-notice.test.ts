import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SubscriptionStatus } from '../contract/enums.js';
import { TIERS } from '../contract/tiers.js';
import type { Plan, Subscription } from '../records/index.js';
import { MADE_AT, aPlan, aSubscription } from '../testing/records.js';
import { periodFrom, plus } from './billing-periods.js';
import { nextWakeAt } from './next-wake.js';
import { renewalIssue, renewalNoticeAt } from './renewal-notice.js';
import { MINUTE, HOUR, DAY } from '../testing/units-of-time.js';

const plan = aPlan();
const paidEnd = periodFrom(MADE_AT, plan).end;
const onDate = plus(paidEnd, -3 * DAY);

const noticeOf = (more: Partial<Subscription> = {}, now = MADE_AT, on: Partial<Plan> = {}) =>
  renewalNoticeAt(aSubscription(more), { plan: { ...plan, ...on }, tier: TIERS.business, now });

// events#renewal-notice, events#renewal-notice-after-its-date
describe('the date of a renewal notice', () => {
  it.each<[string, Date | null, Partial<Subscription>, Date, Partial<Plan>]>([
    ['three days before the end of a month', onDate, {}, MADE_AT, {}],
    ['its date when that has passed', onDate, {}, plus(paidEnd, -MINUTE), {}],
    ['none from the end of the period on', null, {}, paidEnd, {}],
    ['none once it was raised', null, { renewalNoticeNotBefore: paidEnd }, MADE_AT, {}],
    ['the next try', plus(onDate, 600_000), { renewalNoticeNotBefore: plus(onDate, 600_000) }, onDate, {}],
    ['its date when it was to be tried before', onDate, { renewalNoticeNotBefore: MADE_AT }, MADE_AT, {}],
    ['none of a parked seat', null, { pausedAt: MADE_AT }, MADE_AT, {}],
    ['none without signed terms', null, { termsSigned: false }, MADE_AT, {}],
    ['none while the record of the plan is incomplete', null, {}, MADE_AT, { createdOnChainAt: null }],
    ['none when the plan ends with the period', null, {}, MADE_AT, { endsAt: paidEnd }],
    ['none when the plan ends two minutes later', null, {}, MADE_AT, { endsAt: plus(paidEnd, 120_000) }],
    ['its date when the plan ends after that', onDate, {}, MADE_AT, { endsAt: plus(paidEnd, 121_000) }],
  ])('is %s', (_, expected, subscription, now, on) => {
    expect(noticeOf(subscription, now, on)).toEqual(expected);
  });

  it.each([
    [1, 15 * MINUTE],
    [24, 6 * HOUR],
    [168, 42 * HOUR],
    [288, 72 * HOUR],
    [8_760, 72 * HOUR],
  ])('of a period of %i hours is %i ms before its end', (periodHours, lead) => {
    const paidPeriodEnd = plus(MADE_AT, periodHours * HOUR);
    expect(noticeOf({ paidPeriodEnd }, MADE_AT, { periodHours })).toEqual(plus(paidPeriodEnd, -lead));
  });

  it.each(SubscriptionStatus.options)('exists only while active, not %s', (status) => {
    expect(noticeOf({ status }) !== null).toBe(status === 'active');
  });

  // invariants#timed-work-has-a-wake-date
  it('wakes the worker, and lies before the end of the period and of the plan, at any time', () => {
    const instant = fc.integer({ min: -10 * DAY, max: 60 * DAY }).map((ms) => plus(MADE_AT, ms));
    const maybe = fc.option(instant);
    fc.assert(
      fc.property(
        instant,
        maybe,
        maybe,
        fc.integer({ min: 1, max: 8_760 }),
        (now, notBefore, endsAt, hours) => {
          const subscription = aSubscription({ renewalNoticeNotBefore: notBefore });
          const at = { plan: { ...plan, endsAt, periodHours: hours }, tier: TIERS.business, now };
          const notice = renewalNoticeAt(subscription, at);
          if (notice === null) return;
          expect(notice.getTime()).toBeLessThan(paidEnd.getTime());
          expect(now.getTime()).toBeLessThan(paidEnd.getTime());
          if (endsAt !== null) expect(notice.getTime()).toBeLessThan(endsAt.getTime());
          const wakeAt = nextWakeAt({ ...subscription, nextTryAt: paidEnd }, at);
          expect(wakeAt?.getTime()).toBeLessThanOrEqual(notice.getTime());
        },
      ),
    );
  });
});

it.each([
  [null, null],
  ['insufficient_balance', 'balance'],
  ['authority_closed', 'authority'],
  ['program_103', 'authority'],
  ['program_136', 'authority'],
  ['program_4', 'authority'],
  ['program_1', 'authority'],
  ['token_account_frozen', null],
  ['token_account_reassigned', null],
])('a wallet that would be rejected for %s has the issue %s', (rejection, issue) => {
  expect(renewalIssue(rejection)).toBe(issue);
});
