import * as z from 'zod';

import { AttemptOutcome } from '../../contract/enums.js';
import { ExportFormat } from '../../contract/export-format.js';
import {
  emailInput,
  externalIdInput,
  limitInput,
  mintInput,
  nextInput,
  signatureInput,
  slugInput,
  subscriptionIdOrAddressInput,
  walletInput,
} from '../../contract/inputs.js';
import { fields } from '../../contract/requests.js';
import { plusDays } from '../../records/index.js';
import type { PaymentWire } from './schemas.js';

const dayOrInstant = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error:
    'must be a day in UTC, such as "2026-10-02", or an instant with its zone, such as "2026-10-02T08:30:00Z"',
});

/** The span of a list: days in UTC, of which the last one is in it, or instants. */
const span = {
  from: dayOrInstant
    .transform((text) => new Date(text))
    .optional()
    .describe('Only what happened from this day (UTC) on, or at this instant or later.'),
  to: dayOrInstant
    .transform((text) => plusDays(new Date(text), text.includes('T') ? 0 : 1))
    .optional()
    .describe('Only what happened until the end of this day (UTC), or before this instant.'),
};

/** Which payments to find: those that fit every field that is given. */
export const PaymentFilterInput = fields({
  ...span,
  plan: slugInput.optional().describe('Only payments for the plan with this slug.'),
  mint: mintInput.optional().describe("Only payments in this token, by its mint's address."),
  subscription: subscriptionIdOrAddressInput
    .optional()
    .describe('Only payments of the subscription with this id, or of those at this address on chain.'),
  wallet: walletInput.optional().describe('Only payments of this wallet.'),
  external_id: externalIdInput.optional().describe('Only payments of the customer with your own id.'),
  email: emailInput.optional().describe('Only payments of the customer with this email address.'),
  outcome: z
    .enum(AttemptOutcome.options, { error: 'must be paid, skipped, rejected or blocked' })
    .optional()
    .describe('Only attempts with this outcome.'),
  reason: z
    .string({ error: 'must be the reason of an attempt' })
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be the reason of an attempt, such as program_1' })
    .optional()
    .describe('Only attempts that were not paid for this reason.'),
  signature: signatureInput
    .optional()
    .describe('Only payments by this transaction, which may have charged several customers.'),
});
export type PaymentFilterInput = z.infer<typeof PaymentFilterInput>;

/** A request for a page of payments. */
export const PaymentQuery = PaymentFilterInput.extend({
  limit: limitInput(20),
  /** `next` of the previous page, or the id of any attempt of the project. */
  starting_after: nextInput.optional(),
});
export type PaymentQuery = z.infer<typeof PaymentQuery>;
/** A request for a page of payments. `limit` is 1 to 100, 20 when absent. */
export type PaymentQueryInput = z.input<typeof PaymentQuery>;

/** The transaction by which a payment was given back. */
export const RefundBody = z.strictObject({
  signature: signatureInput.describe('The signature of the transaction that gave it back.'),
});
export type RefundBody = z.infer<typeof RefundBody>;

/** Which payments to export, and in which form. */
export const PaymentExport = PaymentFilterInput.extend({ format: ExportFormat });
export type PaymentExport = z.infer<typeof PaymentExport>;
/** Which payments to export: those that fit every field that is given, as `csv` or `ndjson`. */
export type PaymentExportInput = z.input<typeof PaymentExport>;

/** The columns of an export, in their order, to which releases add others at the end. */
export const PAYMENT_COLUMNS = [
  'id',
  'attempted_at',
  'outcome',
  'reason',
  'amount_display',
  'symbol',
  'amount_usd',
  'amount',
  'amount_received',
  'decimals',
  'mint',
  'fee_lamports',
  'signature',
  'period_start',
  'period_end',
  'retry',
  'retry_number',
  'plan',
  'subscription',
  'wallet',
  'external_id',
  'email',
  'refunded_display',
  'refunded_amount',
  'refund_signatures',
  'receipt_number',
] as const satisfies readonly (keyof PaymentWire)[];
