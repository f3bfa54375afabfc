import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { commitAndFollow } from '../../settlement/follow-commit.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { readOutcome } from '../../settlement/read-outcomes.js';
import { resolveCheckout } from '../../settlement/resolve-checkout.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';

/** How long a submit waits between two look-ups. */
const POLL_MS = 1_000;

/** A checkout and its submitted transaction, as stored. */
export interface SubmittedCheckout {
  readonly context: SubscriptionContext;
  readonly transfer: Transfer;
}

/**
 * Waits until the chain has decided a submitted transaction or the deadline has come, and settles the checkout. The
 * worker may settle it at the same time: the one that commits first wins, and the result is read from the store
 * either way.
 */
export async function awaitCheckout(
  service: Service,
  context: SubscriptionContext,
  sent: Transfer,
  deadline: Date,
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
  for (;;) {
    await settleOnce(service, await read());
    const checkout = await read();
    if (checkout.transfer.state !== 'open' || service.clock.now() >= deadline) return checkout;
    await service.clock.sleep(POLL_MS);
  }
}

/** Looks the transaction up once, and settles the checkout when its outcome is known. A lost commit is not repeated. */
async function settleOnce(service: Service, { context, transfer }: SubmittedCheckout): Promise<void> {
  if (transfer.state !== 'open') return;
  const changes = new SubscriptionChanges(service, context, transfer);
  const resolved = await resolveCheckout(service, changes, transfer, await readOutcome(service, transfer));
  const { kind } = resolved.outcome;
  if (kind === 'waiting' || kind === 'unknown') return;
  const landed = kind === 'landed' ? await readLandedCheckouts(service, [changes]) : null;
  settleCheckout(changes, resolved, landed?.get(changes) ?? null, service.clock.now());
  await commitAndFollow(service, changes);
}
