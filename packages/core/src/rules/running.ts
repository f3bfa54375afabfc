import type { SubscriptionStatus } from '../contract/enums.js';
import type { Subscription } from '../records/index.js';

/** Whether a subscription with this status goes on being charged. */
export function isCharged(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'unpaid';
}

/** Whether a subscription with this status runs on chain as far as the records know. */
export function isRunning(status: SubscriptionStatus): boolean {
  return isCharged(status) || status === 'cancelled';
}

/**
 * Whether a change of plan that replaces it may still land, so that nothing is charged for it and the chain
 * is not read for it (plan-changes#one-change-at-a-time).
 */
export function isHeld({ status, replacedById }: Pick<Subscription, 'status' | 'replacedById'>): boolean {
  return replacedById !== null && isCharged(status);
}
