import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { TransactionOutcome } from '../../ports/index.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { isLastLookupOver } from '../../service/shared-lookups.js';
import { commitAndFollow } from '../../settlement/follow-commit.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { resolveCheckout } from '../../settlement/resolve-checkout.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';

/** A checkout and its submitted transaction, as stored. */
export interface SubmittedCheckout {
  readonly context: SubscriptionContext;
  readonly transfer: Transfer;
}

/**
 * Waits until the chain has decided a submitted transaction, or for the last look-up, and settles the
 * checkout. The worker may settle it first, so the result is read from the store.
 */
export async function awaitCheckout(
  service: Service,
  context: SubscriptionContext,
  sent: Transfer,
  last: Date,
): Promise<SubmittedCheckout> {
  const read = async (): Promise<SubmittedCheckout> => {
    // The transfer is read first: once it is settled, the subscription read after it is settled too.
    const transfer = await service.store.findTransferBySignature(sent.signature);
    const subscription = await service.store.findSubscription(context.project.id, sent.subscriptionId);
    if (transfer === null || subscription === null) {
      throw new Error(
        `Transfer ${sent.id}, or its subscription, was stored and is not in the store any more.`,
      );
    }
    return { transfer, context: { ...context, subscription } };
  };
  let checkout = await read();
  for (let count = 0; checkout.transfer.state === 'open'; count++) {
    const lookup = { key: sent.signature, query: sent, count, last };
    await service.lookups.submits.next(lookup, async (outcome) => settle(service, await read(), outcome));
    checkout = await read();
    if (isLastLookupOver(last, service.clock.now())) break;
  }
  return checkout;
}

/** Settles the checkout when the outcome of its transaction is known. A lost commit is not repeated. */
async function settle(
  service: Service,
  { context, transfer }: SubmittedCheckout,
  outcome: TransactionOutcome,
): Promise<void> {
  if (transfer.state !== 'open') return;
  const changes = new SubscriptionChanges(service, context, transfer);
  const resolved = await resolveCheckout(service, changes, transfer, outcome);
  const { outcome: found, replaced } = resolved;
  if (found.kind === 'waiting' || found.kind === 'unknown') return;
  const landed =
    found.kind === 'landed'
      ? await readLandedCheckouts(service, [{ changes, outcome: found, replaced }])
      : null;
  settleCheckout(changes, resolved, landed?.get(changes) ?? null, service.clock.now());
  await commitAndFollow(service, changes);
}
