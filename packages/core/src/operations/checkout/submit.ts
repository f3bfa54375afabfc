import { decodeBase58 } from '../../contract/base58.js';
import type { Confirmation } from '../../contract/confirmation.js';
import type { ErrorCode } from '../../contract/errors.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubmitBody } from '../../contract/requests.js';
import { nextPollAt } from '../../settlement/poll-schedule.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import type { BuiltTransaction, Plan, Project, Subscription, Terms, Transfer } from '../../records/index.js';
import { newId } from '../../records/index.js';
import type { Commit } from '../../ports/index.js';
import { change } from '../../transitions/change.js';
import type { ChangeContext } from '../../transitions/drafts.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../require-answer.js';
import { awaitCheckout } from './await-checkout.js';
import { requireSeat } from './seats.js';
import { requirePlan, requireToken } from './require-payable.js';
import { confirmation } from '../../wire/confirmation.js';
import type { Checkout } from './terms-facts.js';
import { currentTermsFacts } from './terms-facts.js';
import { findSubscription } from '../find-subscription.js';
import type { Held } from '../actions/issue-action.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { readChargeView } from '../read-charge-view.js';
import { requireComebackNow, checkoutKind, type CheckoutKind } from './checkout-kind.js';

/** Contract: a submit takes up to 90 seconds in all. */
const SUBMIT_MS = 90_000;

/**
 * Takes the signed transaction and the wallet's signature of the terms, co-signs, sends, and waits for the chain
 * (contract, submit; the refusals in checkout#order-of-create-refusals's order). Safe to repeat unchanged: a transaction on record is answered from the
 * chain, and nobody is charged twice. The co-signed transaction is stored before it is sent.
 */
export async function submitSubscription(
  service: Service,
  project: Project,
  id: string,
  body: SubmitBody,
): Promise<Confirmation> {
  const deadline = plus(service.clock.now(), SUBMIT_MS);
  const { subscription, plan } = await findSubscription(service, project, id);
  const transfer = await retryOnConflict(service.clock, () => submitted(service, project, id, body));
  if (transfer.subscriptionId !== subscription.id || transfer.kind === 'charge')
    return confirmation(service, { project, plan, subscription }, 'not_our_transaction');
  const awaited = await awaitCheckout(service, project, plan, transfer, deadline);
  const code = awaited.transfer.state === 'open' ? 'nothing_landed' : awaited.transfer.reasonCode;
  return confirmation(service, { project, plan, subscription: awaited.subscription }, code);
}

/**
 * The submitted transaction as it is on record, put there and sent when it was not. `lost` when another call moved the
 * subscription meanwhile: nothing was sent then.
 */
async function submitted(
  service: Service,
  project: Project,
  id: string,
  body: SubmitBody,
): Promise<Transfer | 'lost'> {
  const held: Held = { project, ...(await findSubscription(service, project, id)) };
  const known = await onRecord(service, project, body);
  if (known !== null) return known;
  try {
    return await storeAndSend(service, held, body);
  } catch (refusal) {
    if (!(refusal instanceof ServiceError)) throw refusal;
    // What another call has moved meanwhile, the same submit perhaps, is judged again on what it came to.
    const { subscription } = await findSubscription(service, project, id);
    if (subscription.version === held.subscription.version) throw refusal;
    return 'lost';
  }
}

/** A transaction that the service co-signed for the project, whichever subscription it was for. */
async function onRecord(
  service: Service,
  project: Project,
  { transaction }: SubmitBody,
): Promise<Transfer | null> {
  const signature = service.chain.signatureOf(transaction);
  const transfer = signature === null ? null : await service.store.findTransferBySignature(signature);
  if (transfer === null) return null;
  const owner = await service.store.findSubscription(project.id, transfer.subscriptionId);
  return owner === null ? null : transfer;
}

/** Judges a transaction that is not on record, puts it there, co-signed, and sends it. */
async function storeAndSend(
  service: Service,
  { project, plan, subscription }: Held,
  body: SubmitBody,
): Promise<Transfer | 'lost'> {
  const { built, terms } = await accepted(service, subscription, body);
  const way = await stillPossible(service, { project, plan, subscription }, built, terms);
  const signed = await service.chain.cosign(body.transaction, built.lastValidBlockHeight);
  const refusal = requireAnswer(await service.chain.simulate(signed.wire));
  if (refusal !== null) throw new ServiceError('transaction_refused', { cause: refusal });

  const now = service.clock.now();
  const transfer: Transfer = {
    id: newId(service.random, 'trf'),
    subscriptionId: subscription.id,
    kind: way.kind,
    trigger: null,
    ...signed,
    amount: plan.amount,
    periodStart: null,
    state: 'open',
    reasonCode: null,
    notFoundCount: 0,
    longWaitRecorded: false,
    createdAt: now,
    resolvedAt: null,
  };
  const context = { plan, tier: service.settings.tiers[project.tier] };
  const cause = { kind: 'submitted', nextTryAt: nextPollAt(transfer, now) } as const;
  const commit = await createCommitBuilder(service).commit([change(subscription, cause, now, context)], plan, {
    transfers: [transfer],
    signedTerms: {
      subscriptionId: subscription.id,
      message: terms.message,
      signature: body.terms_signature,
      signedAt: now,
    },
  });
  const commits =
    way.kind === 'comeback' ? [commit, await fence(service, way.over, plan, context)] : [commit];
  if ((await service.store.commit(commits)) === 'lost') return 'lost';
  // Whatever is said to handing it over, a refusal too: a node that refuses may be behind, or have passed it on already.
  // Money that moved unseen is worse than a wait, so only the look-up by signature tells what became of it.
  await service.chain.send([transfer.wire]);
  return transfer;
}

/** Of two returns at once, and of a return and a change of what it comes back over, one loses. */
async function fence(
  service: Service,
  over: Subscription,
  plan: Plan,
  context: ChangeContext,
): Promise<Commit> {
  const fenced = change(over, { kind: 'comeback_submitted' }, service.clock.now(), context);
  return createCommitBuilder(service).commit([fenced], plan);
}

/** Why a transaction is not the one to submit: the code is one, the way out is not. */
const NOT_OURS = {
  undecodable: 'The transaction does not decode: send it as the wallet signed it, in base64.',
  other_message:
    'This is another transaction than the one built last for this subscription. Sign that one, as it is.',
  wallet_unsigned: "The transaction does not carry the wallet's valid signature. Have the wallet sign it.",
} as const;

/** The submitted bytes and the terms' signature, judged without asking the chain (checkout#order-of-create-refusals, steps 3 to 6). */
async function accepted(
  service: Service,
  subscription: Subscription,
  body: SubmitBody,
): Promise<{ readonly built: BuiltTransaction; readonly terms: Terms }> {
  if (subscription.status !== 'pending') throw new ServiceError('not_awaiting_signature');
  const { built, terms, wallet } = subscription;
  if (built === null) throw new ServiceError('transaction_not_built');
  const inspection = await service.chain.inspect(body.transaction, built.transaction, wallet);
  switch (inspection.kind) {
    case 'undecodable':
    case 'other_message':
    case 'wallet_unsigned':
      throw new ServiceError('not_our_transaction', { message: NOT_OURS[inspection.kind] });
    case 'other_wallet':
      throw new ServiceError('wallet_mismatch');
    case 'ours':
  }
  if (terms === null) throw new ServiceError('terms_missing');
  if (!(await signedBy(service, wallet, terms.message, body.terms_signature))) {
    throw new ServiceError('invalid_terms_signature');
  }
  if (terms.spentAt !== null) throw new ServiceError('terms_used');
  if (service.clock.now() >= terms.expiresAt) throw new ServiceError('terms_expired');
  return { built, terms };
}

async function signedBy(
  service: Service,
  wallet: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const publicKey = decodeBase58(wallet);
  const bytes = decodeBase58(signature);
  if (publicKey === null || bytes?.length !== 64) return false;
  return service.crypto.verify(publicKey, new TextEncoder().encode(message), bytes);
}

/** What the chain and the other subscriptions of the wallet say against it (checkout#order-of-create-refusals, steps 7 to 9). */
async function stillPossible(
  service: Service,
  { project, plan, subscription }: Pick<Checkout, 'project' | 'plan' | 'subscription'>,
  built: BuiltTransaction,
  terms: Terms,
): Promise<CheckoutKind> {
  const view = await readChargeView(service, plan, subscription.wallet);
  refused(() => {
    requirePlan(view, plan, service.chain.charger);
  });
  const kind = built.action === 'comeback' ? 'comeback' : 'subscribe';
  const facts = await currentTermsFacts(service, { project, plan, subscription, view, kind });
  if (facts !== terms.facts) throw new ServiceError('terms_changed');
  const head = requireAnswer(await service.chain.head());
  if (head.blockHeight > built.lastValidBlockHeight) throw new ServiceError('transaction_expired');
  const others = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
  const way = refused(() => checkoutKind(plan, others, view));
  if (way.kind !== kind) {
    throw new ServiceError('transaction_refused', {
      message: 'What the wallet has on chain changed since this transaction was built. Ask for a fresh one.',
    });
  }
  // An earlier one that may still land: never two at once.
  if ((await service.store.findOpenTransfer(subscription.id)) !== null)
    throw new ServiceError('subscription_changed');
  await requireSeat(service, project, subscription.wallet);
  await requireComebackNow(service, way, plan, others, view);
  refused(() => {
    requireToken(view);
  });
  return way;
}

/** What makes the chain refuse a subscribing transaction; a submit has no codes of its own for it (errors#codes-of-each-route). */
const REFUSED_BY_THE_CHAIN: readonly ErrorCode[] = [
  'mint_not_on_chain',
  'receiver_account_missing',
  'subscription_cancelled',
];

/**
 * A plan that can no longer be subscribed to has other terms than those that were signed; a token or a receiver that is
 * missing makes the chain refuse the transaction (errors#codes-of-each-route: a submit has no codes of its own for them).
 */
function refused<Judged>(judge: () => Judged): Judged {
  try {
    return judge();
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    if (cause.code.startsWith('plan_')) throw new ServiceError('terms_changed', { cause });
    const { code, message } = cause;
    if (code === 'payment_pending') throw new ServiceError('already_subscribed', { message, cause });
    if (REFUSED_BY_THE_CHAIN.includes(code))
      throw new ServiceError('transaction_refused', { message, cause });
    throw cause;
  }
}
