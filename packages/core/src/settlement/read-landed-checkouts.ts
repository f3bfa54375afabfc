import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Service } from '../service.js';
import { readChargeViews } from './read-charge-views.js';
import { SubscriptionChanges } from '../commits/subscription-changes.js';

/** What a landed checkout is settled by. */
export interface LandedCheckout {
  /** What stands on chain since it landed. */
  readonly view: ChainResult<ChargeView>;
  /** The wallet's other subscriptions to the plan that were ever paid for, newest first. */
  readonly paidFor: readonly SubscriptionChanges[];
}

/**
 * Reads what stands on chain after checkouts landed, and beside whom. A subscription that reads as gone is read again at
 * `finalized`, where alone it counts (attempts#read-commitment): a payment that was made is not to be called failed on the word of a node that lags.
 */
export async function readLandedCheckouts(service: Service, rows: readonly SubscriptionChanges[]): Promise<ReadonlyMap<SubscriptionChanges, LandedCheckout>> {
  const views = new Map(await readChargeViews(service, rows, 'confirmed'));
  const gone = rows.filter((row) => {
    const answer = views.get(row);
    return answer?.ok === true && answer.value.subscription === null;
  });
  for (const [row, answer] of await readChargeViews(service, gone, 'finalized')) views.set(row, answer);
  const landed = new Map<SubscriptionChanges, LandedCheckout>();
  for (const [row, view] of views) landed.set(row, { view, paidFor: await paidForBy(service, row) });
  return landed;
}

async function paidForBy(service: Service, row: SubscriptionChanges): Promise<readonly SubscriptionChanges[]> {
  const { id, wallet } = row.subscription;
  const all = await service.store.listByWalletAndPlan(row.plan.id, wallet);
  const paidFor: SubscriptionChanges[] = [];
  for (const subscription of all) {
    if (subscription.id === id || subscription.incarnation === null) continue;
    const transfer = await service.store.findOpenTransfer(subscription.id);
    paidFor.push(new SubscriptionChanges(service, { ...row.belongsTo, subscription, transfer }));
  }
  return paidFor;
}
