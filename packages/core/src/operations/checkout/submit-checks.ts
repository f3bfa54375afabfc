import { findReplaced, type SubscriptionContext } from '../../commits/subscription-context.js';
import { type ErrorCode, ServiceError } from '../../contract/errors.js';
import type { SubmitBody } from '../../contract/requests.js';
import type { TextSignature } from '../../ports/index.js';
import type { BuiltTransaction, Subscription, Terms } from '../../records/index.js';
import { namedCustomer } from '../../rules/customer.js';
import type { Service } from '../../service.js';
import { requireAnswer, readChargeView } from '../read-chain.js';
import { checkoutKind, requireComebackNow, type CheckoutKind } from './checkout-kind.js';
import { currentTermsFacts } from './checkout-terms.js';
import { competingCheckouts } from './one-per-customer.js';
import { chargeMayLand, replacing, requireReplaceable } from './plan-change.js';
import { CANNOT_PAY, requireOpenPlan, requireTokenAndReceiver } from './preconditions.js';
import { requireSeat } from './seats.js';
import { settledUnseen } from './unseen-checkouts.js';

/** A transaction that the wallet signed for a checkout, with the terms that the wallet signed. */
export interface Submittable {
  /** As the wallet signed it, base64. */
  readonly transaction: string;
  readonly built: BuiltTransaction;
  /** Whether the transaction can land until the block height that was built. */
  readonly hasBuiltLifetime: boolean;
  readonly terms: Terms;
  readonly termsSignature: TextSignature;
}

/** The faults of a transaction that is refused as `not_our_transaction`, with their remedies. */
const NOT_OURS = {
  undecodable: 'The transaction does not decode: send it as the wallet signed it, in base64.',
  legacy:
    'This is a legacy transaction, and the one built last for this subscription is of version 0. Have the wallet sign that one.',
  other_version:
    'This is a transaction of another version than the one built last for this subscription, which is version 0. Have the wallet sign that one.',
  other_message:
    'This is another transaction than the one built last for this subscription. Have the wallet sign that one. It may add instructions for fees, guards of Lighthouse and memos, at most eight, and nothing else.',
  wallet_unsigned: "The transaction does not carry the wallet's valid signature. Have the wallet sign it.",
} as const;

/** Refuses a submitted transaction or terms by the record alone (checkout#order-of-submit-checks, 3 to 6). */
export async function requireSubmittable(
  service: Service,
  { status, built, terms, wallet }: Subscription,
  body: SubmitBody,
): Promise<Submittable> {
  const { transaction } = body;
  if (status !== 'pending') throw new ServiceError('not_awaiting_signature');
  if (built === null) throw new ServiceError('transaction_not_built');
  const inspection = await service.chain.inspect(transaction, built.transaction, wallet);
  switch (inspection.kind) {
    case 'undecodable':
    case 'legacy':
    case 'other_version':
    case 'other_message':
    case 'wallet_unsigned':
      throw new ServiceError('not_our_transaction', { message: NOT_OURS[inspection.kind] });
    case 'other_wallet':
      throw new ServiceError('wallet_mismatch');
    case 'ours':
  }
  if (terms === null) throw new ServiceError('terms_missing');
  const termsSignature = await service.chain.readTextSignature({
    wallet,
    text: terms.message,
    signature: body.terms_signature,
    signedMessage: body.terms_signed_message ?? null,
  });
  if (termsSignature === null) throw new ServiceError('invalid_terms_signature');
  if (terms.spentAt !== null) throw new ServiceError('terms_used');
  if (service.clock.now() >= terms.expiresAt) throw new ServiceError('terms_expired');
  const { hasBuiltLifetime } = inspection;
  return { transaction, built, hasBuiltLifetime, terms, termsSignature };
}

export interface StillPossible {
  readonly checkout: CheckoutKind;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: bigint;
  /** The checkouts that must not have changed when the transaction is stored. */
  readonly competing: readonly Subscription[];
}

/** Refuses a submit by the chain and the wallet's records (checkout#order-of-submit-checks, 7 to 9). */
export async function requireStillPossible(
  service: Service,
  { project, plan, subscription }: SubscriptionContext,
  submittable: Submittable,
): Promise<StillPossible> {
  const { built, terms } = submittable;
  const view = await readChargeView(service, plan, subscription.wallet);
  withSubmitCodes(() => {
    requireOpenPlan(view, plan, service.chain.charger);
  });
  const replaced = await findReplaced(service, project, subscription);
  const kind = replaced !== null ? 'change' : built.action === 'comeback' ? 'comeback' : 'subscribe';
  const facts = await currentTermsFacts(service, { project, plan, subscription, view, kind, replaced });
  if (facts !== terms.facts) throw new ServiceError('terms_changed');
  const lastValidBlockHeight = await requireAlive(service, submittable);
  const subscriptions = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
  if (await settledUnseen(service, { project, plan }, subscriptions, view))
    throw new ServiceError('subscription_changed');
  const checkout = withSubmitCodes(() => replacing(checkoutKind(plan, subscriptions, view), replaced));
  if (checkout.kind !== kind) {
    throw new ServiceError('transaction_refused', {
      message: 'What the wallet has on chain changed since this transaction was built. Ask for a fresh one.',
    });
  }
  // No second transaction is sent while one may land (checkout#one-open-transaction-per-checkout).
  if ((await service.store.findOpenTransfer(subscription.id)) !== null)
    throw new ServiceError('subscription_changed');
  if (replaced !== null) await requireReplaceableNow(service, replaced);
  const customer =
    replaced === null ? subscription : { ...subscription, ...namedCustomer(replaced.subscription) };
  const competing = await competingCheckouts(service, plan, customer);
  await requireSeat(service, project, subscription.wallet);
  await requireComebackNow(service, checkout, plan, subscriptions, view);
  withSubmitCodes(() => {
    requireTokenAndReceiver(view);
  });
  return { checkout, lastValidBlockHeight, competing };
}

/** The block height until which a transaction can land. Refuses an expired one (checkout#own-blockhash). */
async function requireAlive(
  { chain }: Service,
  { transaction, built: { lastValidBlockHeight }, hasBuiltLifetime }: Submittable,
): Promise<bigint> {
  if (!hasBuiltLifetime) {
    const last = requireAnswer(await chain.readLifetime(transaction));
    if (last === null) throw new ServiceError('transaction_expired');
    return last;
  }
  const { blockHeight } = requireAnswer(await chain.head());
  if (blockHeight > lastValidBlockHeight) throw new ServiceError('transaction_expired');
  return lastValidBlockHeight;
}

/** Refuses a change while a charge of the old subscription may land, which would then be paid for nothing. */
async function requireReplaceableNow(service: Service, replaced: SubscriptionContext): Promise<void> {
  if ((await service.store.findOpenTransfer(replaced.subscription.id)) !== null) throw chargeMayLand();
  await requireReplaceable(service, replaced);
}

const REFUSED_BY_THE_CHAIN: readonly ErrorCode[] = [...CANNOT_PAY, 'subscription_cancelled'];

/** Maps refusals that submit has no codes for to codes that it has (errors#refusals-of-a-submit). */
function withSubmitCodes<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (cause) {
    throw withSubmitCode(cause);
  }
}

function withSubmitCode(cause: unknown): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  // A plan that can no longer be subscribed to has other terms than those that were signed.
  if (cause.code.startsWith('plan_')) return new ServiceError('terms_changed', { cause });
  const { code, message } = cause;
  if (code === 'payment_pending') return new ServiceError('already_subscribed', { message, cause });
  return REFUSED_BY_THE_CHAIN.includes(code)
    ? new ServiceError('transaction_refused', { message, cause })
    : cause;
}
