import type { BlockedReason } from '../contract/enums.js';
import type { Subscription } from '../records/index.js';
import { periodMs } from '../records/index.js';
import type { At } from './at.js';
import { isPlanSetup } from './attempt-reasons.js';
import { plus, tryOrEnd } from './billing-periods.js';
import { entitlement } from './access.js';

const TEN_MINUTES_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * When a blocked try runs again (blocks#backoff-of-a-long-block): after ten minutes; after a block of the plan's own setup that outlived the access it
 * gave, as long as the block has lasted, at most a day or a quarter of the period.
 */
export function nextBlockedRetryAt(subscription: Subscription, reason: BlockedReason, at: At): Date {
  const { plan, now } = at;
  const since = subscription.blockedSince ?? now;
  const outlived = isPlanSetup(reason) && !entitlement(subscription, at).access;
  const lasted = outlived ? now.getTime() - since.getTime() : 0;
  const most = Math.max(TEN_MINUTES_MS, Math.min(DAY_MS, periodMs(plan) / 4));
  const nextTryAt = plus(now, Math.min(most, Math.max(TEN_MINUTES_MS, lasted)));
  const end = tryOrEnd(nextTryAt, plan);
  // Past the end there is nothing to wait for but the chain's answer.
  return end > now ? end : nextTryAt;
}
