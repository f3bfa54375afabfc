import type { PlanForAccess, SubscriptionForAccess } from '../records/index.js';
import { entitlement } from './access.js';
import type { At } from './at.js';
import { isCharged, isRunning } from './running.js';

/**
 * Whether a customer's subscription to a plan keeps a wallet of the same customer from changing to that plan:
 * it is paid already, or is an account of the wallet in the place of the next one
 * (plan-changes#plans-offered-for-a-change).
 */
export function isInTheWayOfChange(
  subscription: SubscriptionForAccess,
  wallet: string,
  at: At<PlanForAccess>,
): boolean {
  const { status, closable, closableFrom } = entitlement(subscription, at);
  if (isCharged(status)) return true;
  if (subscription.wallet !== wallet) return false;
  const isStopped = status === 'stopped' && subscription.closedAt === null;
  return isRunning(status) || isStopped || closable || closableFrom !== null;
}
