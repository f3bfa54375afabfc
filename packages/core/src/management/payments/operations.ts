import { ExportText } from '../../contract/export-format.js';
import { ReceiptWire } from '../../contract/receipt.js';
import { operation } from '../../operations/operation.js';
import { exportPayments } from './export.js';
import { listPayments } from './list.js';
import {
  PaymentExport,
  type PaymentExportInput,
  PaymentQuery,
  type PaymentQueryInput,
  RefundBody,
} from './inputs.js';
import { receiptOfPayment } from './receipt.js';
import { recordRefund } from './refunds.js';
import { PaymentPage, PaymentWire } from './schemas.js';

export const paymentOperations = {
  /**
   * Lists the payments of the whole project, which are the attempts to charge its subscriptions, newest
   * first, `limit` (1 to 100, 20 when absent) at a time: those that fit every field that is given. `from` and
   * `to` are days in UTC, of which the last one is in the list, or instants.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Only
   * management has it.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { data } = await shop.payments.list({ from: '2026-10-01', to: '2026-10-31', outcome: 'paid' });
   * for (const { attempted_at, amount_display, symbol, signature } of data)
   *   console.log(attempted_at, amount_display, symbol, signature);
   */
  list: operation<(query?: PaymentQueryInput) => Promise<PaymentPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/payments',
    input: PaymentQuery.prefault({}),
    output: PaymentPage,
    errors: ['plan_not_found'],
    summary: "A project's payments that fit every filter, newest first.",
    run: ({ service, project, input }) => listPayments(service, project, input),
  }),
  /**
   * Records that you gave back a payment, or a part of it, from a wallet of yours: `signature` is of the
   * transaction that did. What it brought to the wallet of the customer is read from the chain, and counts
   * as far as the payment is not given back yet; what is left of it counts for other payments of the customer
   * that it is recorded with. A repeated call changes nothing.
   *
   * Refuses with `not_found`, `invalid_request`, `conflict` or `network_unavailable`.
   *
   * @example
   * const signature = process.argv[2] ?? '';
   * const payment = await shop.payments.recordRefund(id, { signature });
   * console.log(payment.refunded_display, payment.amount_display);
   */
  recordRefund: operation<(id: string, body: RefundBody) => Promise<PaymentWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/payments/{id}/refunds',
    input: RefundBody,
    output: PaymentWire,
    notFound: 'not_found',
    errors: ['conflict', 'network_unavailable'],
    summary: 'Records that a payment was given back by hand, by the transaction that proves it.',
    run: ({ service, project, id, input }) => recordRefund(service, project, id, input),
  }),
  /**
   * Reads the receipt of a payment: its number, who was paid by whom for what, and what was given back. What
   * did not pay has none. Refuses with `not_found`.
   *
   * @example
   * const { number, amount_display, symbol, seller } = await shop.payments.receipt(id);
   */
  receipt: operation<(id: string) => Promise<ReceiptWire>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/payments/{id}/receipt',
    output: ReceiptWire,
    notFound: 'not_found',
    summary: 'The receipt of a payment.',
    run: ({ service, project, id }) => receiptOfPayment(service, project, id),
  }),
  /**
   * Exports the payments of the whole project that fit every field that is given, newest first, as the text
   * of a file: `csv` (RFC 4180, with a line of headings) or `ndjson` (an object on each line). The text comes
   * in parts, each read when it is asked for, so that an export of any length takes little memory. It throws
   * at its end when records could not be read.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * import { createWriteStream } from 'node:fs';
   * import { pipeline } from 'node:stream/promises';
   *
   * const text = await shop.payments.export({ format: 'csv', from: '2026-10-01', to: '2026-10-31' });
   * await pipeline(text, createWriteStream('october.csv'));
   */
  export: operation<(filter: PaymentExportInput) => Promise<ExportText>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/payments/export',
    input: PaymentExport,
    output: ExportText,
    errors: ['plan_not_found'],
    summary: "A project's payments that fit every filter as a file of CSV or NDJSON, newest first.",
    run: ({ service, project, input }) => exportPayments(service, project, input),
  }),
};
