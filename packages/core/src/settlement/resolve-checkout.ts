import { SubscriptionChanges } from '../commits/subscription-changes.js';
import { findReplaced } from '../commits/subscription-context.js';
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
  const resolved: ResolvedCheckout = { transfer, outcome, replaces: null, replaced: null };
  // Nothing becomes of either subscription yet.
  if (outcome.kind === 'waiting' || outcome.kind === 'unknown') return resolved;
  const replaced = await changesOfReplaced(service, changes, transfer);
  if (outcome.kind !== 'not_found' || !isLostBy(transfer)) return { ...resolved, replaced };
  const checkout = await findCheckoutByAccount(service, changes, [transfer]);
  if (!checkout.ok) return { ...resolved, outcome: { kind: 'unknown' } };
  return { ...resolved, replaced, ...checkout.value };
}

/** The changes of the subscription that the transaction of a transfer replaces; null without one. */
export async function changesOfReplaced(
  service: Service,
  { project, subscription }: SubscriptionChanges,
  { kind }: Pick<Transfer, 'kind'>,
): Promise<SubscriptionChanges | null> {
  const replaced = kind === 'change' ? await findReplaced(service, project, subscription) : null;
  if (replaced === null) return null;
  const transfer = await service.store.findOpenTransfer(replaced.subscription.id);
  return new SubscriptionChanges(service, replaced, transfer);
}
