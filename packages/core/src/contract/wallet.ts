import * as z from 'zod';

import { ReasonCode } from './confirmation.js';
import { SubscriptionStatus } from './enums.js';
import { cursorInput, limitInput, signatureInput } from './inputs.js';
import { page } from './page.js';
import { fields } from './requests.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/** The actions of a wallet on its subscription. */
export const WalletAction = z.enum(['cancel', 'resume', 'close']);
export type WalletAction = z.infer<typeof WalletAction>;

/** A payment that landed. */
const WalletPayment = z.strictObject({
  signature: z.string().describe('The transaction that paid, in base58.'),
  amount: amountText.describe("The amount paid, in the token's smallest unit."),
  amount_display: decimalText.describe('The amount paid, in whole tokens.'),
  paid_at: isoDate.describe('When it was sent.'),
});

/** A subscription as anybody may see it: only facts of the chain and of the terms that its wallet signed. */
export const WalletSubscription = z.strictObject({
  id: z.string().describe('Its id, sub_ and 24 letters or digits.'),
  name: z
    .string()
    .nullable()
    .describe('The plan and the project, as the signed terms name them; null without such terms.'),
  status: SubscriptionStatus.describe('Its state. New values may appear.'),
  actions: z
    .array(WalletAction)
    .describe('What the wallet can do to it now, as far as the chain was last read.'),
  address: z.string().describe('The address of its account on chain.'),
  plan_address: z.string().describe("The address of the plan's account on chain."),
  paid_to: z.string().describe('The wallet that is paid.'),
  mint: z.string().describe("The token's address."),
  symbol: z
    .string()
    .nullable()
    .describe("The token's symbol as the signed terms name it; null when they give only its address."),
  amount: amountText.describe("The price of a period, in the token's smallest unit."),
  amount_display: decimalText.describe('The price in whole tokens.'),
  period_hours: z.int().min(1).describe('Hours between charges.'),
  began_at: isoDate.nullable().describe('When the first payment landed.'),
  paid_until: isoDate.nullable().describe('End of the period last paid for.'),
  next_charge_at: isoDate.nullable().describe('The next charge; null when no charge is planned.'),
  ends_at: isoDate.nullable().describe('When its cancellation takes effect, while that is ahead; else null.'),
  plan_ends_at: isoDate.nullable().describe("The plan's end date; null without one."),
  payments: z
    .strictObject({
      count: z.int().min(0).describe('The number of paid charges.'),
      amount: amountText.describe("The sum of all payments, in the token's smallest unit."),
      amount_display: decimalText.describe('The sum of all payments, in whole tokens.'),
      latest: z
        .array(WalletPayment)
        .describe(
          "The newest payments, newest first: at most five, and of the subscription's last ten transactions only.",
        ),
    })
    .describe('What was paid so far.'),
});
export type WalletSubscription = z.infer<typeof WalletSubscription>;

/** A page of what a wallet is or was subscribed to, newest first. */
export const WalletSubscriptionPage = page(
  WalletSubscription,
  'The subscriptions of this page, newest first.',
);
export type WalletSubscriptionPage = z.infer<typeof WalletSubscriptionPage>;

/** A query of a wallet's subscriptions, for a short page: each subscription takes reads of its own. */
export const WalletSubscriptionsQuery = fields({
  limit: limitInput(10).refine((limit) => limit <= 20, { error: 'must be an integer from 1 to 20' }),
  starting_after: cursorInput.optional(),
});
export type WalletSubscriptionsQuery = z.infer<typeof WalletSubscriptionsQuery>;
/** A request for a page of a wallet's subscriptions: `limit` is 1 to 20, 10 when absent. */
export type WalletSubscriptionsQueryInput = z.input<typeof WalletSubscriptionsQuery>;

/** The action that the wallet wants. */
export const WalletTransactionBody = fields({ action: WalletAction });
export type WalletTransactionBody = z.infer<typeof WalletTransactionBody>;

/** The transaction that the wallet signed, in base64. */
export const WalletSubmitBody = fields({
  transaction: z
    .string({ error: 'must be the signed transaction in base64' })
    .regex(/^[A-Za-z0-9+/]{1,2000}={0,2}$/, { error: 'must be the signed transaction in base64' }),
});
export type WalletSubmitBody = z.infer<typeof WalletSubmitBody>;

/** The signature of a transaction that was sent. */
export const WalletSubmitted = z.strictObject({
  signature: z.string().describe('The signature of the transaction that was sent, in base58.'),
});
export type WalletSubmitted = z.infer<typeof WalletSubmitted>;

/** The action of the wallet, and the signature of its transaction. */
export const WalletConfirmBody = fields({ action: WalletAction, signature: signatureInput });
export type WalletConfirmBody = z.infer<typeof WalletConfirmBody>;

/** The subscription as the chain shows it. `reason` and `reason_code` are null when the action is done. */
export const WalletConfirmation = z.strictObject({
  subscription: WalletSubscription.describe('The subscription now.'),
  reason: z
    .string()
    .nullable()
    .describe('Why nothing was settled, a sentence for a person; null when the action is done.'),
  reason_code: ReasonCode.nullable().describe(
    'Stable: branch on it, and keep a default branch. Null when the action is done.',
  ),
});
export type WalletConfirmation = z.infer<typeof WalletConfirmation>;
