import type { BlockedReason } from '../contract/enums.js';
import { type Subscription, periodMs } from '../records/index.js';
import type { At } from './at.js';
import { isPlanSetup } from './attempt-reasons.js';
import { plus, nextReadAt } from './billing-periods.js';
import { entitlement } from './access.js';

const TEN_MINUTES_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * When a blocked try is made again: after ten minutes (blocks#wait-between-blocked-tries). Once access has
 * ended under a block by the plan's setup, the wait is as long as the block has lasted, but at most a day or
 * a quarter of the period (blocks#backoff-of-a-long-block).
 */
export function nextBlockedRetryAt(subscription: Subscription, reason: BlockedReason, at: At): Date {
  const { plan, now } = at;
  const since = subscription.blockedSince ?? now;
  const accessEnded = isPlanSetup(reason) && !entitlement(subscription, at).access;
  const backoff = accessEnded ? now.getTime() - since.getTime() : 0;
  const longest = Math.max(TEN_MINUTES_MS, Math.min(DAY_MS, periodMs(plan) / 4));
  const nextTryAt = plus(now, Math.min(longest, Math.max(TEN_MINUTES_MS, backoff)));
  const readAt = nextReadAt(nextTryAt, plan);
  // Once the second at which the chain shows the plan's end has passed, the chain is read at the next try.
  return readAt > now ? readAt : nextTryAt;
}
