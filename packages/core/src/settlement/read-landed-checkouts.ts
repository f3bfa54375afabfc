import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Service } from '../service.js';
import { readChargeViews } from './read-charge-views.js';

/** What is read to settle a landed checkout. */
export interface LandedCheckout {
  /** The chain as read after the landing. */
  readonly view: ChainResult<ChargeView>;
  /** The wallet's other subscriptions to the plan that were ever paid for, newest first. */
  readonly paidBefore: readonly SubscriptionChanges[];
}

/**
 * Reads what is needed to settle landed checkouts. A subscription that reads as gone is read again at `finalized`,
 * because only a finalized read proves that it is gone (attempts#read-commitment): a node that lags must not turn a
 * payment into a failed checkout.
 */
export async function readLandedCheckouts(
  service: Service,
  batch: readonly SubscriptionChanges[],
): Promise<ReadonlyMap<SubscriptionChanges, LandedCheckout>> {
  const views = new Map(await readChargeViews(service, batch, 'confirmed'));
  const gone = batch.filter((changes) => {
    const answer = views.get(changes);
    return answer?.ok === true && answer.value.subscription === null;
  });
  for (const [changes, answer] of await readChargeViews(service, gone, 'finalized'))
    views.set(changes, answer);
  const landed = new Map<SubscriptionChanges, LandedCheckout>();
  for (const [changes, view] of views) {
    landed.set(changes, { view, paidBefore: await findPaidBefore(service, changes) });
  }
  return landed;
}

async function findPaidBefore(
  service: Service,
  changes: SubscriptionChanges,
): Promise<readonly SubscriptionChanges[]> {
  const { id, wallet } = changes.subscription;
  const all = await service.store.listByWalletAndPlan(changes.plan.id, wallet);
  const paidBefore: SubscriptionChanges[] = [];
  for (const subscription of all) {
    if (subscription.id === id || subscription.incarnation === null) continue;
    const transfer = await service.store.findOpenTransfer(subscription.id);
    paidBefore.push(changes.forSibling(subscription, transfer));
  }
  return paidBefore;
}
