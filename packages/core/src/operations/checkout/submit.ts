import { commitChanges } from '../../commits/commit-changes.js';
import { newTransfer } from '../../commits/new-transfer.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { type SubscriptionContext, atNow } from '../../commits/subscription-context.js';
import type { Confirmation } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubmitBody } from '../../contract/requests.js';
import type { SignedTransaction, SimulatedRefusal } from '../../ports/index.js';
import type { Project, Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { lastLookupWithin } from '../../service/shared-lookups.js';
import { nextPollAt } from '../../settlement/poll-schedule.js';
import { keepCustomer } from '../../settlement/settle-checkout.js';
import { confirmationWire } from '../../wire/confirmation.js';
import { requireAnswer } from '../read-chain.js';
import { requireSubscription } from '../require.js';
import { awaitCheckout } from './await-checkout.js';
import {
  requireStillPossible,
  requireSubmittable,
  type StillPossible,
  type Submittable,
} from './submit-checks.js';

/** The longest time that a submit waits (checkout#submit-waits-ninety-seconds). */
const SUBMIT_MS = 90_000;

/** A transaction that the service co-signed for a subscription, in this call or before. */
export interface AcceptedSubmit {
  /** The subscription that the caller named. */
  readonly context: SubscriptionContext;
  /** The transfer of the transaction, which may be another subscription's. */
  readonly transfer: Transfer;
  /** Until when the call waits for the chain. */
  readonly last: Date;
}

/**
 * Accepts the signed transaction and terms, sends the transaction, and waits for the chain. A repeated submit
 * is answered from the record and charges nothing (checkout#repeated-submit-is-idempotent).
 */
export async function submitSubscription(
  service: Service,
  project: Project,
  id: string,
  body: SubmitBody,
): Promise<Confirmation> {
  return confirmSubmit(service, await acceptSubmit(service, project, id, body));
}

/**
 * Stores and sends the transaction of a submit, unless it was before, and waits for nothing.
 * @param beforeStored is called each time before a transaction is stored that this call accepted
 */
export async function acceptSubmit(
  service: Service,
  project: Project,
  id: string,
  body: SubmitBody,
  beforeStored = async () => {},
): Promise<AcceptedSubmit> {
  const last = lastLookupWithin(service.clock.now(), SUBMIT_MS);
  const context = await requireSubscription(service, project, id);
  const transfer = await retryOnConflict(service.clock, () =>
    findOrSubmit(service, project, id, body, beforeStored),
  );
  return { context, transfer, last };
}

/** Waits until the chain decided an accepted submit, and says what came of it. */
export async function confirmSubmit(
  service: Service,
  { context, transfer, last }: AcceptedSubmit,
): Promise<Confirmation> {
  if (!isOfCheckout(transfer, context.subscription))
    return confirmationWire(context.subscription, atNow(service, context), 'not_our_transaction');
  const settled = await awaitCheckout(service, context, transfer, last);
  const code = settled.transfer.state === 'open' ? 'nothing_landed' : settled.transfer.reasonCode;
  return confirmationWire(settled.context.subscription, atNow(service, settled.context), code);
}

/** Whether a transfer is a first payment of this subscription. */
function isOfCheckout({ subscriptionId, kind }: Transfer, { id }: Subscription): boolean {
  return subscriptionId === id && kind !== 'charge';
}

/**
 * The transfer of the submitted transaction, which is stored and sent unless it was before. Returns `lost`
 * when another call changed the subscription first; nothing is sent then.
 */
async function findOrSubmit(
  service: Service,
  project: Project,
  id: string,
  body: SubmitBody,
  beforeStored: () => Promise<void>,
): Promise<Transfer | 'lost'> {
  const context = await requireSubscription(service, project, id);
  const transfer = await findTransfer(service, project, body.transaction);
  if (transfer !== null) return transfer;
  try {
    return await checkAndSubmit(service, context, body, beforeStored);
  } catch (refusal) {
    if (!(refusal instanceof ServiceError)) throw refusal;
    // Another call, perhaps the same submit, may have changed the subscription: then the checks run again.
    const { subscription } = await requireSubscription(service, project, id);
    if (subscription.version !== context.subscription.version) return 'lost';
    if (refusal.code === 'transaction_refused') logRefusal(service, subscription, refusal);
    throw refusal;
  }
}

/** Logs the refusal of a payment by a read or the simulation (checkout#simulation-before-sending). */
function logRefusal({ logger }: Service, { id, wallet }: Subscription, refusal: ServiceError): void {
  const { message, cause } = refusal;
  const details =
    cause instanceof ServiceError ? { code: cause.code } : (cause as SimulatedRefusal | undefined);
  logger.info(
    { subscription: id, wallet, cause: message, ...details },
    'The chain would refuse the transaction of a checkout, so it was not sent.',
  );
}

/** The transfer of a transaction that the service co-signed for any subscription of the project. */
async function findTransfer(
  service: Service,
  project: Project,
  transaction: string,
): Promise<Transfer | null> {
  const signature = service.chain.signatureOf(transaction);
  const transfer = signature === null ? null : await service.store.findTransferBySignature(signature);
  if (transfer === null) return null;
  const owner = await service.store.findSubscription(project.id, transfer.subscriptionId);
  return owner === null ? null : transfer;
}

/** Checks a transaction that is not on record, co-signs and simulates it, stores the intent, and sends it. */
async function checkAndSubmit(
  service: Service,
  context: SubscriptionContext,
  body: SubmitBody,
  beforeStored: () => Promise<void>,
): Promise<Transfer | 'lost'> {
  const submittable = await requireSubmittable(service, context.subscription, body);
  const possible = await requireStillPossible(service, context, submittable);
  const signed = await service.chain.cosign(body.transaction, possible.lastValidBlockHeight);
  const refusal = requireAnswer(await service.chain.simulate(signed.wire));
  if (refusal !== null) {
    // Another comeback may have landed since the checks, which then say why this one is refused.
    await requireStillPossible(service, context, submittable);
    throw new ServiceError('transaction_refused', {
      message: `The chain would refuse this transaction: ${refusal.cause}. Nothing was sent. Once that has changed, request a fresh one.`,
      cause: refusal,
    });
  }
  await beforeStored();
  const transfer = await storeIntent(service, context, possible, submittable, signed);
  if (transfer === 'lost') return 'lost';
  // Only a look-up by signature decides: a node that refuses may be behind, or have passed it on.
  await service.chain.send([transfer.wire]);
  return transfer;
}

/** Stores the co-signed transaction and the spent terms in one commit (checkout#stored-before-it-is-sent). */
async function storeIntent(
  service: Service,
  { project, plan, subscription }: SubscriptionContext,
  { checkout, competing }: StillPossible,
  { terms, termsSignature }: Submittable,
  signed: SignedTransaction,
): Promise<Transfer | 'lost'> {
  const now = service.clock.now();
  const { id: subscriptionId } = subscription;
  const transfer = newTransfer(
    service,
    { subscriptionId, kind: checkout.kind, trigger: null, amount: plan.amount, periodStart: null },
    signed,
    now,
  );
  const changes = new SubscriptionChanges(service, { project, plan, subscription });
  // The checkout counts for its customer from now on. One of a named customer does already.
  if (checkout.kind === 'change' && subscription.reservedFor !== null)
    keepCustomer(changes, checkout.replaced.subscription, now);
  changes.apply({ kind: 'submitted', nextTryAt: nextPollAt(transfer, now) }, now);
  changes.putTransfer(transfer);
  changes.putSignedTerms({
    subscriptionId,
    message: terms.message,
    ...termsSignature,
    signedAt: now,
  });
  // Raises the versions of the others, so a concurrent comeback, checkout or change conflicts.
  for (const other of [...competing, ...(checkout.kind === 'comeback' ? [checkout.previous] : [])]) {
    const sibling = changes.forSibling(other);
    sibling.apply({ kind: 'sibling_submitted' }, now);
    changes.alsoCommit(sibling);
  }
  if (checkout.kind === 'change') {
    const replaced = new SubscriptionChanges(service, checkout.replaced);
    replaced.apply({ kind: 'change_submitted', replacedById: subscriptionId }, now);
    changes.alsoCommit(replaced);
  }
  return (await commitChanges(service, changes)) === 'lost' ? 'lost' : transfer;
}
