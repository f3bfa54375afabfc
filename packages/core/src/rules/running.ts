import type { SubscriptionStatus } from '../contract/enums.js';

/** Whether a subscription with this status goes on being charged. */
export function isCharged(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'unpaid';
}

/** Whether a subscription with this status runs on chain as far as the records know. */
export function isRunning(status: SubscriptionStatus): boolean {
  return isCharged(status) || status === 'cancelled';
}
