import type { Network } from '../contract/enums.js';
import type { ReceiptWire } from '../contract/receipt.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { Payment } from '../ports/index.js';
import type { Project, Refund, Seller } from '../records/index.js';
import { displayAmount } from '../rules/money.js';
import { receiptNumber } from '../rules/receipt-number.js';
import type { TokenName } from '../rules/token-name.js';

const HOUR_MS = 3_600_000;

/** The facts of a receipt besides its payment. */
export interface ReceiptFacts {
  readonly project: Pick<Project, 'name'>;
  /** What the project says of itself; null for nothing. */
  readonly seller: Seller | null;
  /** Those of the payment, the first one first. */
  readonly refunds: readonly Refund[];
  readonly token: Pick<TokenName, 'unit'>;
  readonly network: Network;
}

/** The receipt of a payment (receipts#content-of-a-receipt); null for what did not pay. */
export function receiptWire(
  { attempt, subscription, plan }: Payment,
  { project, seller, refunds, token, network }: ReceiptFacts,
): ReceiptWire | null {
  const number = receiptNumber(attempt);
  if (number === null) return null;
  const { amount, amountReceived, periodStart } = attempt;
  const shown = (units: bigint) => displayAmount(units, plan.decimals);
  return {
    number,
    attempt: attempt.id,
    subscription: attempt.subscriptionId,
    paid_at: toWireDate(attempt.attemptedAt),
    network,
    seller: {
      name: seller?.legalName ?? project.name,
      address: seller?.address?.split('\n') ?? [],
      tax_id: seller?.taxId ?? null,
    },
    customer: {
      email: subscription.email,
      external_id: subscription.externalId,
      wallet: subscription.wallet,
    },
    plan: plan.slug,
    plan_name: plan.name,
    period_start: toWireDate(periodStart),
    period_end: periodStart && toWireDate(new Date(periodStart.getTime() + plan.periodHours * HOUR_MS)),
    symbol: token.unit,
    mint: plan.mint,
    decimals: plan.decimals,
    amount: toAmountText(amount),
    amount_display: shown(amount),
    amount_received: amountReceived === null ? null : toAmountText(amountReceived),
    token_fee_display: amountReceived === null ? null : shown(amount - amountReceived),
    amount_usd: attempt.amountUsd,
    signature: attempt.signature,
    refunds: refunds.map((refund) => ({
      refunded_at: toWireDate(refund.landedAt),
      amount_display: shown(refund.amount),
      signature: refund.signature,
    })),
  };
}
