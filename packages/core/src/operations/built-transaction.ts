import { commitChanges } from '../commits/commit-changes.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { UnsignedTransaction } from '../ports/index.js';
import type { BuiltTransaction, Subscription } from '../records/index.js';
import type { Service } from '../service.js';

/** The record of a transaction that was built for the wallet to sign. */
export function builtTransaction(
  action: BuiltTransaction['action'],
  { transaction, lastValidBlockHeight }: UnsignedTransaction,
  now: Date,
): BuiltTransaction {
  return { action, transaction, lastValidBlockHeight, builtAt: now };
}

/**
 * Commits changes that include a built transaction, and returns the subscription whose transaction the caller is to
 * return. If several calls race, a caller whose commit conflicts gets the transaction that was stored instead of its own.
 * `lost`: another kind of call changed the subscription.
 */
export async function saveBuiltTransaction(
  service: Service,
  changes: SubscriptionChanges,
): Promise<Subscription | 'lost'> {
  const { before, subscription: own } = changes;
  if ((await commitChanges(service, changes)) === 'committed') return own;
  const stored = await service.store.findSubscription(own.projectId, own.id);
  if (stored?.built?.action !== own.built?.action || stored?.status !== own.status) return 'lost';
  const transaction = stored.built?.transaction;
  const justBuilt = transaction !== before.built?.transaction || transaction === own.built?.transaction;
  return justBuilt ? stored : 'lost';
}
