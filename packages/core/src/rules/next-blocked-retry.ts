import type { BlockedReason } from '../contract/enums.js';
import { type Subscription, periodMs } from '../records/index.js';
import type { At } from './at.js';
import { isPlanSetup } from './attempt-reasons.js';
import { plus, nextReadAt } from './billing-periods.js';
import { entitlement } from './access.js';

const TEN_MINUTES_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * When a blocked try is made again: after ten minutes (blocks#wait-between-blocked-tries). Once a block of the plan's
 * setup has outlived the access it gave, the wait backs off to as long as the block has lasted, at most a day or a
 * quarter of the period (blocks#backoff-of-a-long-block).
 */
export function nextBlockedRetryAt(subscription: Subscription, reason: BlockedReason, at: At): Date {
  const { plan, now } = at;
  const since = subscription.blockedSince ?? now;
  const outlived = isPlanSetup(reason) && !entitlement(subscription, at).access;
  const lasted = outlived ? now.getTime() - since.getTime() : 0;
  const most = Math.max(TEN_MINUTES_MS, Math.min(DAY_MS, periodMs(plan) / 4));
  const nextTryAt = plus(now, Math.min(most, Math.max(TEN_MINUTES_MS, lasted)));
  const readAt = nextReadAt(nextTryAt, plan);
  // Past the plan's end only the chain's answer is missing, so the plain wait applies.
  return readAt > now ? readAt : nextTryAt;
}
