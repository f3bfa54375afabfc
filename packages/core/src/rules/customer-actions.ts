import type { CustomerAction } from '../contract/customer.js';
import type { Subscription } from '../records/index.js';
import { entitlement } from './access.js';
import type { At } from './at.js';
import { hasManualRetry } from './retry-policy.js';
import { isCharged, isHeld } from './running.js';
import { possibleActions } from './wallet-actions.js';

/**
 * The actions of a customer on a subscription, as the chain was last read (portal#actions-of-a-customer).
 * @param can whether the customer can pay for its plan anew, and did not do so since, and whether a
 * plan is offered to which the customer can change
 */
export function customerActions(
  subscription: Subscription,
  at: At,
  can: { readonly canSubscribe: boolean; readonly canChange: boolean },
): readonly CustomerAction[] {
  const { status } = entitlement(subscription, at);
  const { late, pausedAt } = subscription;
  const mayRetry = status === 'unpaid' && pausedAt === null && late !== null && hasManualRetry(late, at);
  // Who changed the plan has another subscription in its place.
  const isOver = status === 'stopped' || (status === 'ended' && subscription.endReason !== 'plan_changed');
  return [
    ...possibleActions(subscription, at),
    ...(mayRetry ? (['retry'] as const) : []),
    ...(isOver && can.canSubscribe ? (['subscribe'] as const) : []),
    ...(isCharged(status) && can.canChange && !isHeld(subscription) ? (['change'] as const) : []),
  ];
}
