import { type ErrorCode, ServiceError } from '../../contract/errors.js';
import type { AddressView, ChainResult, ChargeView, UnsignedTransaction } from '../../ports/index.js';
import type { Plan } from '../../records/index.js';
import { whyUnpayable } from '../../rules/decide.js';
import { displayAmount } from '../../rules/money.js';
import { matchesRecord } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { missingLamports, missingTokens, SOL_DECIMALS } from '../missing-money.js';
import { requireAnswer, readChargeView } from '../read-chain.js';
import { requireChargeable, requireChargeableMint } from '../require.js';
import type { CheckoutKind } from './checkout-kind.js';

export interface CheckoutReads {
  readonly view: ChargeView;
  /** The wallet that pays. */
  readonly payer: AddressView;
}

/** Reads the accounts that a checkout depends on. */
export async function readCheckout(service: Service, plan: Plan, wallet: string): Promise<CheckoutReads> {
  const [payer, view] = await Promise.all([
    service.chain.readAddress(wallet).then(requireAnswer),
    readChargeView(service, plan, wallet),
  ]);
  return { view, payer };
}

/** Refuses a checkout for its plan, its token or its receiver (checkout#order-of-create-refusals). */
export function requireCheckout({ chain }: Service, plan: Plan, { view }: CheckoutReads): void {
  requireOpenPlan(view, plan, chain.charger);
  requireTokenAndReceiver(view);
}

/** Refuses a plan that takes no new subscriptions (checkout#plan-checks-at-checkout). */
export function requireOpenPlan(view: ChargeView, plan: Plan, charger: string): void {
  if (view.plan === null) throw new ServiceError('plan_removed');
  if (view.plan.createdAt.getTime() !== plan.createdOnChainAt?.getTime())
    throw new ServiceError('plan_replaced');
  if (!matchesRecord(plan, view.plan, charger)) throw new ServiceError('plan_mismatch');
  // A first payment is a charge, and nothing is charged in a plan's last two minutes.
  requireChargeable(view.time, view.plan);
  if (view.plan.sunset || plan.status === 'sunset') throw new ServiceError('plan_sunset');
}

/** Refuses a token or a receiver that cannot be paid (checkout#token-and-receiver). */
export function requireTokenAndReceiver({ mint, receiver }: ChargeView): void {
  requireChargeableMint(mint);
  if (mint.paused) throw new ServiceError('mint_paused');
  const unpayable = whyUnpayable(receiver);
  if (unpayable !== null) throw new ServiceError(unpayable);
}

/** The codes of wallets that cannot pay, and of tokens and receivers that cannot be paid. */
export const CANNOT_PAY = [
  'mint_not_on_chain',
  'mint_not_transferable',
  'mint_transfer_hook',
  'mint_paused',
  'receiver_account_missing',
  'receiver_account_frozen',
  'receiver_account_needs_memo',
  'receiver_account_confidential_only',
  'token_account_reassigned',
  'insufficient_balance',
  'token_account_frozen',
  'token_account_guarded',
  'insufficient_lamports',
] as const satisfies readonly ErrorCode[];

/** The plan that the wallet of a checkout pays, and what the transaction does. */
export interface FirstPayment extends CheckoutReads {
  readonly plan: Plan;
  readonly wallet: string;
  readonly checkout: CheckoutKind;
}

/**
 * Builds the transaction of a first payment. Refuses a wallet that cannot make it
 * (checkout#wallet-that-cannot-pay); when the chain does not answer, the submit finds out.
 */
export async function buildFirstPayment(
  service: Service,
  payment: FirstPayment,
): Promise<ChainResult<UnsignedTransaction>> {
  const { plan, wallet, view, payer, checkout } = payment;
  const { source } = view;
  if (source !== null && source.owner !== wallet) throw new ServiceError('token_account_reassigned');
  // Nobody can top a frozen account up.
  if (source?.frozen === true) throw new ServiceError('token_account_frozen');
  await requireBalance(service, payment);
  const target = chargeTarget(plan, wallet);
  const unsigned = await service.chain.build(
    checkout.kind === 'change'
      ? { ...target, kind: 'change', view, replaced: chargeTarget(checkout.replaced.plan, wallet).plan }
      : { ...target, kind: checkout.kind, view },
  );
  if (!unsigned.ok) return unsigned;
  // An approval from before the guard goes on working.
  if (source?.guarded === true && unsigned.value.approves) throw new ServiceError('token_account_guarded');
  requireLamports(payer.lamports, unsigned.value);
  return unsigned;
}

/** Refuses a wallet that holds less than the price (checkout#balance-for-the-first-charge). */
async function requireBalance(
  service: Service,
  { plan, wallet, view: { source } }: FirstPayment,
): Promise<void> {
  const balance = source?.balance ?? 0n;
  if (source !== null && balance >= plan.amount) return;
  const missing = await missingTokens(service, plan, balance, plan.amount);
  const shown = (amount: bigint) => `${displayAmount(amount, plan.decimals)} ${missing.symbol ?? 'tokens'}`;
  const lack = `${shown(plan.amount - balance)} of the ${shown(plan.amount)} that the first charge takes`;
  const elsewhere = await service.chain.readTokensOf(wallet, plan.mint);
  // The account that charges are made from has less than the price, so it is none of those.
  const enough = elsewhere.ok ? elsewhere.value.find((account) => account.balance >= plan.amount) : undefined;
  throw new ServiceError('insufficient_balance', {
    message:
      enough === undefined
        ? `The wallet lacks ${lack}. Have the customer top it up, then make the call again.`
        : `The wallet lacks ${lack}: it has ${shown(enough.balance)} in the account ${enough.address}, and only its associated token account is charged. Have the customer send them to the wallet's own address, then make the call again.`,
    missing,
  });
}

/** Refuses a wallet without SOL for signing: afterwards it must hold nothing, or enough to stay open. */
function requireLamports(lamports: bigint, { costs, reserve }: UnsignedTransaction): void {
  const { total } = costs;
  if (lamports === total || lamports >= total + reserve) return;
  const shown = (amount: bigint) => `${displayAmount(amount, SOL_DECIMALS)} SOL`;
  throw new ServiceError('insufficient_lamports', {
    message: `The wallet lacks ${shown(total + reserve - lamports)}: signing costs ${shown(total)}, and ${shown(reserve)} must stay in it. Have the customer add as much, then make the call again.`,
    missing: missingLamports(lamports, total + reserve),
  });
}
