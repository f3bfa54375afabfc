import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { commitAndFollow } from '../../settlement/follow-commit.js';
import { settleUnseenCheckout } from '../../settlement/settle-unseen-checkout.js';
import { chargeMayLand } from './plan-change.js';

/**
 * Settles a landed checkout of the wallet that the service did not see
 * (checkout#other-signature-of-the-wallet). Returns whether there was one, after which the call begins again.
 * @param subscriptions all of the wallet's subscriptions to the plan
 */
export async function settledUnseen(
  service: Service,
  { project, plan }: Omit<SubscriptionContext, 'subscription'>,
  subscriptions: readonly Subscription[],
  view: ChargeView,
): Promise<boolean> {
  if (view.subscription === null) return false;
  for (const subscription of subscriptions) {
    if (subscription.status !== 'pending') continue;
    const changes = new SubscriptionChanges(service, { project, plan, subscription });
    const unseen = await settleUnseenCheckout(service, changes, service.clock.now());
    if (unseen === 'not_landed') continue;
    if (unseen === 'charge_open') throw chargeMayLand();
    if (unseen !== 'landed') throw new ServiceError('network_unavailable', { cause: unseen.unavailable });
    await commitAndFollow(service, changes);
    return true;
  }
  return false;
}
