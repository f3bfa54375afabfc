import { commitChanges } from '../commits/commit-changes.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { Subscription } from '../records/index.js';
import type { Service } from '../service.js';

/** How often an expiry is tried while concurrent calls change the same checkout. */
const TRIES = 5;

/**
 * Expires the wallet's other open checkouts of the plan after one has landed
 * (checkout#other-checkouts-of-the-wallet), or once their own transaction is resolved. Each expiry is a
 * commit of its own: anyone may open checkouts for any wallet, which must not hold up a payment. If the
 * process dies first, the checkouts expire at their time, and cannot be submitted.
 * @param landed the committed changes, in which a checkout landed
 */
export async function expireOtherCheckouts(service: Service, landed: SubscriptionChanges): Promise<void> {
  const all = await service.store.listByWalletAndPlan(landed.plan.id, landed.subscription.wallet);
  for (const other of all) {
    if (other.id !== landed.subscription.id && other.status === 'pending')
      await expire(service, landed, other);
  }
}

async function expire(service: Service, landed: SubscriptionChanges, checkout: Subscription): Promise<void> {
  let current: Subscription | null = checkout;
  for (let tries = 0; tries < TRIES && current?.status === 'pending'; tries++) {
    const transfer = await service.store.findOpenTransfer(current.id);
    const changes = landed.forSibling(current, transfer);
    const kind = transfer === null ? 'checkout_expired' : 'checkout_overtaken';
    changes.apply({ kind }, service.clock.now());
    if ((await commitChanges(service, changes)) === 'committed') return;
    current = await service.store.findSubscription(checkout.projectId, checkout.id);
  }
}
