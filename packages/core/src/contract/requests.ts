import * as z from 'zod';

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

/** Makes the schema of a query or body with these fields. It refuses any other field by its name. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape);
}

/** A customer is named by exactly one of these; `customerOfQuery` refuses a query that has none of them or several. */
const customer = {
  wallet: walletInput.optional(),
  external_id: externalIdInput.optional(),
  email: emailInput.optional(),
};

/** A customer by their wallet: a query names the customer once, so the other two are left out. */
interface CustomerByWallet {
  readonly wallet: string;
  readonly external_id?: undefined;
  readonly email?: undefined;
}

/** A customer by the app's own id: a query names the customer once, so the other two are left out. */
interface CustomerByExternalId {
  readonly external_id: string;
  readonly wallet?: undefined;
  readonly email?: undefined;
}

/** A customer by their email: a query names the customer once, so the other two are left out. */
interface CustomerByEmail {
  readonly email: string;
  readonly wallet?: undefined;
  readonly external_id?: undefined;
}

/** A customer by exactly one of the three. `undefined` counts as left out. */
type OneCustomer = CustomerByWallet | CustomerByExternalId | CustomerByEmail;

/** An optional field of a body: null counts as absent (requests#null-optional-body-fields). */
function optionalInBody<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((value) => value ?? undefined);
}

/** The input of an operation that takes none. */
export const Nothing = fields({});
export type Nothing = z.infer<typeof Nothing>;

/** Which customer's access to check, and to which plan. */
export const AccessQuery = fields({ ...customer, plan: slugInput.optional(), attempts: booleanInput });
export type AccessQuery = z.infer<typeof AccessQuery>;
/** The input of an access check. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type AccessQueryInput = OneCustomer & AccessOptions;
/** What an access check asks besides the customer. */
type AccessOptions = Omit<z.input<typeof AccessQuery>, keyof typeof customer>;

/** Which customer's subscriptions to list; `plan` narrows the list to one plan. */
export const SubscriptionsQuery = fields({
  ...customer,
  plan: slugInput.optional(),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type SubscriptionsQuery = z.infer<typeof SubscriptionsQuery>;
/** A request for a customer's subscriptions. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type SubscriptionsQueryInput = OneCustomer & ListOptions;
/** Which of a customer's subscriptions a list has. */
type ListOptions = Omit<z.input<typeof SubscriptionsQuery>, keyof typeof customer>;

/** Which page of attempts to list. */
export const AttemptsQuery = fields({ limit: limitInput(20), starting_after: cursorInput.optional() });
export type AttemptsQuery = z.infer<typeof AttemptsQuery>;
/** A request for a page of attempts: `limit` is 1 to 100, 20 when absent. */
export type AttemptsQueryInput = z.input<typeof AttemptsQuery>;

/** A new subscription: the plan, the wallet that pays, and who the customer is. */
export const CreateBody = fields({
  plan: slugInput,
  wallet: walletInput,
  external_id: optionalInBody(externalIdInput),
  email: optionalInBody(emailInput),
});
export type CreateBody = z.input<typeof CreateBody>;

/** A text that must not be empty. `what` completes the message that refuses any other value. */
function nonEmptyText(what: string) {
  return z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` });
}

/** The most characters of what a wallet signed: more than the longest terms have, in an envelope and with their signature. */
const MOST_SIGNED = 4_096;

function signedBytes(what: string) {
  return nonEmptyText(what)
    .refine(within(1, MOST_SIGNED), { error: `must be ${what}, at most ${MOST_SIGNED} characters` })
    .meta({ maxLength: MOST_SIGNED });
}

/**
 * What the wallet signed for a checkout. A transaction that does not decode is refused with `not_our_transaction`, a
 * signature of the terms that does not decode with `invalid_terms_signature`.
 */
export const SubmitBody = fields({
  transaction: nonEmptyText('the signed transaction in base64'),
  terms_signature: signedBytes("the wallet's signature of the terms in base58 or base64"),
  terms_signed_message: optionalInBody(signedBytes('the bytes that the wallet signed, in base64')),
});
export type SubmitBody = z.input<typeof SubmitBody>;

/** The signature of the transaction that the wallet sent, to confirm a cancel, resume or close. */
export const ConfirmBody = fields({ signature: signatureInput });
export type ConfirmBody = z.infer<typeof ConfirmBody>;
