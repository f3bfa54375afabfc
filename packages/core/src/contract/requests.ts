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

/** Convention 5: the fields of a query or body; any other is refused by name. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape);
}

/** A customer is named by exactly one of these (access#one-customer-identifier); `namedCustomer` holds a request to that. */
const customer = {
  wallet: walletInput.optional(),
  external_id: externalIdInput.optional(),
  email: emailInput.optional(),
};

/** A route without a query or without a body. */
export const Nothing = fields({});
export type Nothing = z.infer<typeof Nothing>;

export const AccessQuery = fields({ ...customer, plan: slugInput.optional(), attempts: booleanInput });
export type AccessQuery = z.infer<typeof AccessQuery>;
/** A question about access. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type AccessQueryInput = z.input<typeof AccessQuery>;

/** lists#keyset-pagination; `plan` narrows the list to one plan (errors#codes-of-each-route). */
export const SubscriptionsQuery = fields({
  ...customer,
  plan: slugInput.optional(),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type SubscriptionsQuery = z.infer<typeof SubscriptionsQuery>;
/** A request for a customer's subscriptions. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type SubscriptionsQueryInput = z.input<typeof SubscriptionsQuery>;

export const AttemptsQuery = fields({ limit: limitInput(20), starting_after: cursorInput.optional() });
export type AttemptsQuery = z.infer<typeof AttemptsQuery>;
/** A request for a page of charges: `limit` is 1 to 100, 20 when absent. */
export type AttemptsQueryInput = z.input<typeof AttemptsQuery>;

export const CreateBody = fields({
  plan: slugInput,
  wallet: walletInput,
  external_id: externalIdInput.optional(),
  email: emailInput.optional(),
});
export type CreateBody = z.infer<typeof CreateBody>;

const text = (of: string) => z.string({ error: `must be ${of}` }).min(1, { error: `must be ${of}` });

/** What does not decode is told as `not_our_transaction` and `invalid_terms_signature`, in checkout#order-of-create-refusals's order. */
export const SubmitBody = fields({
  transaction: text('the signed transaction in base64'),
  terms_signature: text("the wallet's signature of the terms in base58")
    .refine(within(1, 88), { error: 'must be base58, at most 88 characters' })
    .meta({ maxLength: 88 }),
});
export type SubmitBody = z.infer<typeof SubmitBody>;

/** Cancel, resume and close: the signature of the transaction the wallet sent. */
export const ConfirmBody = fields({ signature: signatureInput });
export type ConfirmBody = z.infer<typeof ConfirmBody>;
