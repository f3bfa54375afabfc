import { AttemptOutcome, type PaymentWire, type ReceiptWire } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, listed, PAGE_OPTIONS } from '../managed.js';
import { oneOf, required, text } from '../option.js';
import { details } from '../table.js';

/** The filters of payments, in a list and in an export. */
export const PAYMENT_OPTIONS = {
  from: text('day', 'only those from this day on (UTC), or at this instant or later'),
  to: text('day', 'only those until the end of this day (UTC), or before this instant'),
  plan: text('slug', 'only those for this plan'),
  mint: text('address', 'only those in this token'),
  subscription: text('id', 'only those of this subscription, by its id or its address on chain'),
  wallet: text('address', 'only those of this wallet'),
  external_id: text('id', 'only those of the customer as the app names it'),
  email: text('email', 'only those of the customer with this email address'),
  outcome: oneOf(AttemptOutcome.options, 'only those with this outcome'),
  reason: text('reason', 'only those that were not paid for this reason'),
  signature: text('signature', 'only those by this transaction'),
};

/** The columns of payments for a person, of whatever subscription. */
const COLUMNS = [
  'id',
  'attempted_at',
  'outcome',
  'reason',
  'amount',
  'refunded',
  'plan',
  'customer',
  'period',
  'signature',
];

/** `subrail payment`. */
export function addPaymentCommands(root: Group): void {
  const group = addGroup(root, 'payment', 'Payments: who paid or did not, when, and why.');
  addManaged(group, {
    usage: 'list',
    about: 'List the payments of the whole project, newest first: those that fit all that is given.',
    example: 'subrail payment list --from 2026-10-01 --to 2026-10-31 --outcome rejected',
    operations: ['payments.list'],
    options: { ...PAYMENT_OPTIONS, ...PAGE_OPTIONS },
    run: async ({ project, options }) => (await project()).payments.list(options),
    shown: (page, { terminal }) => listed(terminal, COLUMNS, page, rowOf),
  });
  addManaged(group, {
    usage: 'refund <id>',
    about:
      'Record that you gave back a payment, or a part of it, by the transaction that did. It is read from the chain; nothing is sent.',
    example: 'subrail payment refund att_… --signature 5h6x…',
    operations: ['payments.recordRefund'],
    options: { signature: required(text('signature', 'the transaction that gave it back')) },
    run: async ({ project, operands: [id = ''], options }) =>
      (await project()).payments.recordRefund(id, options),
  });
  addManaged(group, {
    usage: 'receipt <id>',
    about: 'Show the receipt of a payment.',
    example: 'subrail payment receipt att_…',
    operations: ['payments.receipt'],
    run: async ({ project, operands: [id = ''] }) => (await project()).payments.receipt(id),
    shown: (receipt, { terminal }) => details(terminal, receiptFields(receipt)),
  });
}

/** A receipt for a person, without what an accountant does not read. */
function receiptFields(receipt: ReceiptWire): object {
  const { number, paid_at, seller, customer, plan_name, period_start, period_end } = receipt;
  const unit = receipt.symbol ?? receipt.mint;
  const amount = (shown: string | null) => shown && `${shown} ${unit}`;
  return {
    number,
    paid_at,
    seller: [seller.name, ...seller.address].join(', '),
    tax_id: seller.tax_id,
    customer: customer.email ?? customer.external_id,
    wallet: customer.wallet,
    plan: plan_name,
    period: period_start && period_end && `${period_start} to ${period_end}`,
    amount: amount(receipt.amount_display),
    fee_of_the_token: amount(receipt.token_fee_display),
    amount_usd: receipt.amount_usd,
    signature: receipt.signature,
    refunds: receipt.refunds
      .map((refund) => `${amount(refund.amount_display)} on ${refund.refunded_at} by ${refund.signature}`)
      .join(', '),
  };
}

function rowOf(payment: PaymentWire): object {
  const { amount_display, symbol, mint, external_id, email, wallet, period_start } = payment;
  return {
    ...payment,
    amount: `${amount_display} ${symbol ?? mint}`,
    customer: external_id ?? email ?? wallet,
    refunded: payment.refunded_amount === '0' ? null : payment.refunded_display,
    period: period_start?.slice(0, 10),
  };
}
