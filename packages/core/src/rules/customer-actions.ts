import type { CustomerAction } from '../contract/customer.js';
import type { Subscription } from '../records/index.js';
import { entitlement } from './access.js';
import type { At } from './at.js';
import { possibleActions } from './wallet-actions.js';

/**
 * The actions of a customer on a subscription, as the chain was last read (portal#actions-of-a-customer).
 * @param canSubscribe whether the customer can pay for its plan anew, and did not do so since
 */
export function customerActions(
  subscription: Subscription,
  at: At,
  canSubscribe: boolean,
): readonly CustomerAction[] {
  const { status } = entitlement(subscription, at);
  const isLate = status === 'unpaid' && subscription.pausedAt === null;
  const isOver = status === 'stopped' || status === 'ended';
  return [
    ...possibleActions(subscription, at),
    ...(isLate ? (['retry'] as const) : []),
    ...(isOver && canSubscribe ? (['subscribe'] as const) : []),
  ];
}
