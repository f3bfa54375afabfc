import { describe, expect, it } from 'vitest';

import { MADE_AT, aPlan, aSubscription } from '../testing/records.js';
import { plus } from './billing-periods.js';
import { nextDailyCheck, nextUnreadCheck } from './chain-checks.js';
import { DAY, HOUR, MINUTE } from '../testing/units-of-time.js';

// plans#daily-read-of-subscriptions
describe('the next read of a subscription for which nothing is due', () => {
  it('comes within a day, whenever the last one was', () => {
    const subscription = aSubscription();
    let now = MADE_AT;
    for (let read = 0; read < 400; read++) {
      const next = nextDailyCheck(subscription, now);
      const wait = (next?.getTime() ?? Infinity) - now.getTime();
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThan(DAY);
      now = plus(next ?? now, read % 7);
    }
  });

  it('is spread evenly over the day', () => {
    const perHour = new Array<number>(23).fill(0);
    for (let made = 0; made < 23_000; made++) {
      const next = nextDailyCheck(aSubscription(), MADE_AT);
      const hour = Math.floor(((next?.getTime() ?? 0) - MADE_AT.getTime()) / HOUR);
      perHour[hour] = (perHour[hour] ?? 0) + 1;
    }
    expect(Math.min(...perHour)).toBeGreaterThan(800);
    expect(Math.max(...perHour)).toBeLessThan(1_200);
  });

  it.each(['active', 'unpaid', 'cancelled'] as const)('is made while it is %s', (status) => {
    expect(nextDailyCheck(aSubscription({ status }), MADE_AT)).not.toBeNull();
  });

  it.each(['pending', 'stopped', 'failed', 'expired', 'superseded', 'ended'] as const)(
    'is not made when it is %s',
    (status) => {
      expect(nextDailyCheck(aSubscription({ status }), MADE_AT)).toBeNull();
    },
  );

  // cancel-resume-close#reinstated-after-closed-elsewhere
  it('is made for 60 days after it ended as gone', () => {
    const gone = aSubscription({ status: 'ended', endReason: 'closed_elsewhere', lastEventAt: MADE_AT });
    expect(nextDailyCheck(gone, plus(MADE_AT, 58 * DAY))).not.toBeNull();
    expect(nextDailyCheck(gone, plus(MADE_AT, 60 * DAY))).toBeNull();
  });
});

// plans#daily-read-of-subscriptions
describe('the next read of a subscription that could not be read', () => {
  const subscription = aSubscription();
  const due = nextDailyCheck(subscription, MADE_AT) ?? MADE_AT;
  const waitsOf = (reads: number, given = subscription, plan = aPlan()) => {
    const waits: number[] = [];
    let now = plus(due, 12_000);
    for (let read = 0; read < reads; read++) {
      const next = nextUnreadCheck(given, plan, now);
      waits.push(Math.round((next.getTime() - now.getTime()) / MINUTE));
      now = plus(next, 12_000);
    }
    return waits;
  };

  it('waits as long as the read is overdue, between four minutes and an hour', () => {
    expect(waitsOf(8)).toEqual([4, 4, 9, 18, 37, 60, 60, 60]);
  });

  it.each([
    ['what read as gone before', { ...subscription, goneSince: MADE_AT }, aPlan()],
    ['one whose plan is closed', subscription, aPlan({ status: 'closed' })],
    ['one whose plan has ended', subscription, aPlan({ endsAt: MADE_AT })],
  ])('waits four minutes for %s', (_, given, plan) => {
    expect(waitsOf(5, given, plan)).toEqual([4, 4, 4, 4, 4]);
  });
});
