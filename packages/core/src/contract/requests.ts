import * as z from 'zod';

import { SIGNATURE, WALLET } from './example-subscription.js';
import {
  cursorInput,
  emailInput,
  externalIdInput,
  limitInput,
  signatureInput,
  slugInput,
  subscriptionIdInput,
  booleanInput,
  walletInput,
  within,
} from './inputs.js';

/** Makes the schema of a query or body. Any other field is refused by its name. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape);
}

/**
 * The customer of a query, by one of three fields, which `customerOfQuery` checks. `plan` narrows the answer.
 */
const customer = {
  wallet: walletInput
    .optional()
    .describe(
      'The customer, by wallet address. Name the customer by exactly one of wallet, external_id and email.',
    ),
  external_id: externalIdInput.optional().describe('The customer, by your own id, 1 to 255 characters.'),
  email: emailInput.optional().describe('The customer, by email address, at most 254 characters.'),
  plan: slugInput.optional().describe('The slug of one plan; every plan when absent.'),
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
export function optionalInBody<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((value) => value ?? undefined);
}

/** The input of an operation that takes none. */
export const Nothing = fields({});
export type Nothing = z.infer<typeof Nothing>;

/** Which customer's access to check, and to which plan. */
export const AccessQuery = fields({
  ...customer,
  attempts: booleanInput.describe('Whether the answer lists the last five charges too; false when absent.'),
});
export type AccessQuery = z.infer<typeof AccessQuery>;
/** The input of an access check. Name the customer by exactly one of `wallet`, `external_id` and `email`. */
export type AccessQueryInput = OneCustomer & AccessOptions;
type AccessOptions = Omit<z.input<typeof AccessQuery>, keyof OneCustomer>;

/** Which customer's subscriptions to list; `plan` narrows the list to one plan. */
export const SubscriptionsQuery = fields({
  ...customer,
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type SubscriptionsQuery = z.infer<typeof SubscriptionsQuery>;
/** A request for a customer's subscriptions, by exactly one of `wallet`, `external_id` and `email`. */
export type SubscriptionsQueryInput = OneCustomer & ListOptions;
type ListOptions = Omit<z.input<typeof SubscriptionsQuery>, keyof OneCustomer>;

/** Which page of attempts to list. */
export const AttemptsQuery = fields({ limit: limitInput(20), starting_after: cursorInput.optional() });
export type AttemptsQuery = z.infer<typeof AttemptsQuery>;
/** A request for a page of attempts: `limit` is 1 to 100, 20 when absent. */
export type AttemptsQueryInput = z.input<typeof AttemptsQuery>;

/** A new subscription: the plan, the wallet that pays, and who the customer is. */
export const CreateBody = fields({
  plan: slugInput.describe('The slug of the plan to subscribe to.'),
  wallet: walletInput.describe('The address of the paying wallet.'),
  external_id: optionalInBody(externalIdInput).describe(
    'Your own id of the customer, 1 to 255 characters once trimmed, none of them a control character.',
  ),
  email: optionalInBody(emailInput).describe(
    "Where the customer's notices go; trimmed and lowercased, at most 254 characters, never verified.",
  ),
  replaces: optionalInBody(subscriptionIdInput).describe(
    "The id of the wallet's running subscription that this one replaces, for a change of plan. Its customer stays the same.",
  ),
}).meta({ request: 'CreateRequest', example: { plan: 'pro', wallet: WALLET, external_id: 'customer-42' } });
export type CreateBody = z.input<typeof CreateBody>;

/** A text that must not be empty. `what` completes the message that refuses any other value. */
function nonEmptyText(what: string) {
  return z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` });
}

/** More characters than the longest terms have, in an envelope and with their signature. */
const MOST_SIGNED = 4_096;

function signedBytes(what: string) {
  return nonEmptyText(what)
    .refine(within(1, MOST_SIGNED), { error: `must be ${what}, at most ${MOST_SIGNED} characters` })
    .meta({ maxLength: MOST_SIGNED });
}

/**
 * The signatures of a checkout. A transaction that does not decode is refused with `not_our_transaction`,
 * terms that do not with `invalid_terms_signature`.
 */
export const SubmitBody = fields({
  transaction: nonEmptyText('the signed transaction in base64').describe(
    'The transaction built last for this subscription, signed by the wallet, in base64.',
  ),
  terms_signature: signedBytes("the wallet's signature of the terms in base58 or base64").describe(
    "The wallet's signature of terms.message, or of an envelope around it: 64 bytes in base58 or base64, which may be joined with what was signed.",
  ),
  terms_signed_message: optionalInBody(signedBytes('the bytes that the wallet signed, in base64')).describe(
    'The bytes that the wallet says it signed, in base64. Only an envelope that names a domain needs it.',
  ),
}).meta({ request: 'SubmitRequest', example: { transaction: 'AQAB', terms_signature: SIGNATURE } });
export type SubmitBody = z.input<typeof SubmitBody>;

/** The signature of the transaction that the wallet sent, to confirm a cancel, resume or close. */
export const ConfirmBody = fields({
  signature: signatureInput.describe(
    'The signature of the transaction that the wallet sent: base58 of 64 bytes.',
  ),
}).meta({ request: 'ConfirmRequest', example: { signature: SIGNATURE } });
export type ConfirmBody = z.infer<typeof ConfirmBody>;
