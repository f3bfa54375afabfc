import { describe, expect, it } from 'vitest';

import { TIERS } from '../contract/tiers.js';
import { MADE_AT as T0, aPlan, aSubscription } from '../testing/records.js';
import { periodFrom, plus } from './billing-periods.js';
import { nextBlockedRetryAt } from './next-blocked-retry.js';
import { MINUTE, HOUR, DAY } from '../testing/units-of-time.js';

const plan = aPlan();
const { end: paidEnd } = periodFrom(T0, plan);
const blocked = aSubscription({
  planId: plan.id,
  blockedSince: paidEnd,
  blockedReason: 'receiver_account_frozen',
  blockedAccessUntil: plus(paidEnd, 3 * DAY),
});

describe('when a blocked try is made again', () => {
  const at = (now: Date) => ({ plan, tier: TIERS.business, now });

  // blocks#wait-between-blocked-tries
  it('is ten minutes later while access lasts, and always when the setup of the plan is not the cause', () => {
    const later = plus(paidEnd, 2 * DAY);
    expect(nextBlockedRetryAt(blocked, 'receiver_account_frozen', at(later))).toEqual(
      plus(later, 10 * MINUTE),
    );
    const muchLater = plus(paidEnd, 20 * DAY);
    const blockedByIssuer = { ...blocked, blockedReason: 'mint_paused' } as const;
    expect(nextBlockedRetryAt(blockedByIssuer, 'mint_paused', at(muchLater))).toEqual(
      plus(muchLater, 10 * MINUTE),
    );
  });

  // blocks#backoff-of-a-long-block
  it("backs off to a day once access has ended under a block of the plan's setup", () => {
    const accessEnd = plus(paidEnd, 3 * DAY);
    expect(nextBlockedRetryAt(blocked, 'receiver_account_frozen', at(accessEnd))).toEqual(
      plus(accessEnd, DAY),
    );
  });

  // blocks#backoff-of-a-long-block
  it('backs off to a quarter of the period where that is less than a day', () => {
    const daily = aPlan({ periodHours: 24 });
    const subscription = aSubscription({
      planId: daily.id,
      paidPeriodEnd: plus(T0, DAY),
      blockedSince: plus(T0, DAY),
      blockedReason: 'receiver_account_frozen',
    });
    const now = plus(T0, 3 * DAY);
    const next = nextBlockedRetryAt(subscription, 'receiver_account_frozen', {
      plan: daily,
      tier: TIERS.business,
      now,
    });
    expect(next).toEqual(plus(now, 6 * HOUR));
  });
});
