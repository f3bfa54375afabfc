import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { TransactionOutcome } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import type { Service } from '../service.js';
import { findCheckoutByAccount } from './find-by-account.js';
import { isLostBy } from './settle-charge.js';
import type { ResolvedCheckout } from './settle-checkout.js';

/**
 * The outcome of a checkout's transaction. Before it counts as lost, the account's history tells whether it
 * landed under another signature (checkout#other-signature-of-the-wallet).
 */
export async function resolveCheckout(
  service: Service,
  changes: SubscriptionChanges,
  transfer: Transfer,
  outcome: TransactionOutcome,
): Promise<ResolvedCheckout> {
  const replaced = await findReplaced(service, changes, transfer);
  const resolved: ResolvedCheckout = { transfer, outcome, replaces: null, replaced };
  if (outcome.kind !== 'not_found' || !isLostBy(transfer)) return resolved;
  const checkout = await findCheckoutByAccount(service, changes, [transfer]);
  if (!checkout.ok) return { ...resolved, outcome: { kind: 'unknown' } };
  return { ...resolved, ...checkout.value };
}

/** The subscription that the transaction of a transfer replaces, with its open transfer; null without one. */
export async function findReplaced(
  { store }: Service,
  changes: SubscriptionChanges,
  { kind }: Pick<Transfer, 'kind'>,
): Promise<SubscriptionChanges | null> {
  const { previousId, projectId } = changes.subscription;
  if (kind !== 'change' || previousId === null) return null;
  const subscription = await store.findSubscription(projectId, previousId);
  const plan = subscription === null ? null : await store.findPlan(subscription.planId);
  if (subscription === null || plan === null)
    throw new Error(
      `Subscription ${previousId}, which ${changes.subscription.id} replaces, is not in the store.`,
    );
  return changes.forSibling(subscription, await store.findOpenTransfer(previousId), plan);
}
