import { z } from 'zod';

import {
  cursorInput,
  emailInput,
  externalIdInput,
  limitInput,
  signatureInput,
  slugInput,
  booleanInput,
  walletInput,
  within,
} from './inputs.js';

/** The fields of a query or body; any other field is refused by its name. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape);
}

/** A customer is named by exactly one of these; `customerOfQuery` refuses none and several. */
const customer = {
  wallet: walletInput.optional(),
  external_id: externalIdInput.optional(),
  email: emailInput.optional(),
};

/** The input of an operation that takes none. */
export const Nothing = fields({});
export type Nothing = z.infer<typeof Nothing>;

/** Which customer's access to check, and to which plan. */
export const AccessQuery = fields({ ...customer, plan: slugInput.optional(), attempts: booleanInput });
export type AccessQuery = z.infer<typeof AccessQuery>;
/** A question about access. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type AccessQueryInput = z.input<typeof AccessQuery>;

/** Which customer's subscriptions to list; `plan` narrows the list to one plan. */
export const SubscriptionsQuery = fields({
  ...customer,
  plan: slugInput.optional(),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type SubscriptionsQuery = z.infer<typeof SubscriptionsQuery>;
/** A request for a customer's subscriptions. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type SubscriptionsQueryInput = z.input<typeof SubscriptionsQuery>;

/** Which page of charges to list. */
export const AttemptsQuery = fields({ limit: limitInput(20), starting_after: cursorInput.optional() });
export type AttemptsQuery = z.infer<typeof AttemptsQuery>;
/** A request for a page of charges: `limit` is 1 to 100, 20 when absent. */
export type AttemptsQueryInput = z.input<typeof AttemptsQuery>;

/** A new subscription: the plan, the wallet that pays, and who the customer is. */
export const CreateBody = fields({
  plan: slugInput,
  wallet: walletInput,
  external_id: externalIdInput.optional(),
  email: emailInput.optional(),
});
export type CreateBody = z.infer<typeof CreateBody>;

const text = (of: string) => z.string({ error: `must be ${of}` }).min(1, { error: `must be ${of}` });

/**
 * The two signatures of a checkout. A transaction that does not decode is refused with `not_our_transaction`, a signature that
 * does not decode with `invalid_terms_signature`.
 */
export const SubmitBody = fields({
  transaction: text('the signed transaction in base64'),
  terms_signature: text("the wallet's signature of the terms in base58")
    .refine(within(1, 88), { error: 'must be base58, at most 88 characters' })
    .meta({ maxLength: 88 }),
});
export type SubmitBody = z.infer<typeof SubmitBody>;

/** The signature of the transaction that the wallet sent, to confirm a cancel, resume or close. */
export const ConfirmBody = fields({ signature: signatureInput });
export type ConfirmBody = z.infer<typeof ConfirmBody>;
