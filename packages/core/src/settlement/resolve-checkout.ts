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
  const resolved: ResolvedCheckout = { transfer, outcome, replaces: null };
  if (outcome.kind !== 'not_found' || !isLostBy(transfer)) return resolved;
  const checkout = await findCheckoutByAccount(service, changes, [transfer]);
  if (!checkout.ok) return { ...resolved, outcome: { kind: 'unknown' } };
  return checkout.value ?? resolved;
}
