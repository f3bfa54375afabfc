import type { SubscriptionStatus } from '../contract/enums.js';

/** Whether a subscription with this status runs on chain as far as the records know: it is over only after that. */
export function isRunning(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'unpaid' || status === 'cancelled';
}
