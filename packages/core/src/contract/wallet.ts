import * as z from 'zod';

import { ReasonCode } from './confirmation.js';
import { SubscriptionStatus } from './enums.js';
import { cursorInput, limitInput, signatureInput } from './inputs.js';
import { page } from './page.js';
import { fields } from './requests.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/** What a wallet can do to its subscription. */
export const WalletAction = z.enum(['cancel', 'resume', 'close']);
export type WalletAction = z.infer<typeof WalletAction>;

/** A payment that landed. */
const WalletPayment = z.strictObject({
  signature: z.string(),
  amount: amountText,
  amount_display: decimalText,
  paid_at: isoDate,
});

/** A subscription as anybody may see it: nothing but what is on chain, and what its wallet signed. */
export const WalletSubscription = z.strictObject({
  id: z.string(),
  /** The plan and the project, as the signed terms name them; null without such terms. */
  name: z.string().nullable(),
  status: SubscriptionStatus,
  /** What the wallet can do now, as far as the chain was last read. */
  actions: z.array(WalletAction),
  /** The account of the subscription. */
  address: z.string(),
  plan_address: z.string(),
  paid_to: z.string(),
  mint: z.string(),
  /** As the signed terms name the token; null when they give only its address. */
  symbol: z.string().nullable(),
  amount: amountText,
  amount_display: decimalText,
  period_hours: z.int().min(1),
  began_at: isoDate.nullable(),
  paid_until: isoDate.nullable(),
  next_charge_at: isoDate.nullable(),
  /** When a cancellation takes effect, while that is ahead. */
  ends_at: isoDate.nullable(),
  plan_ends_at: isoDate.nullable(),
  payments: z.strictObject({
    count: z.int().min(0),
    amount: amountText,
    amount_display: decimalText,
    /** At most five, newest first, among the last ten transactions: some of those may have failed. */
    latest: z.array(WalletPayment),
  }),
});
export type WalletSubscription = z.infer<typeof WalletSubscription>;

/** A page of what a wallet is or was subscribed to, newest first. */
export const WalletSubscriptionPage = page(WalletSubscription);
export type WalletSubscriptionPage = z.infer<typeof WalletSubscriptionPage>;

/** Which page of a wallet's subscriptions to list. A page is short, because every subscription takes reads of its own. */
export const WalletSubscriptionsQuery = fields({
  limit: limitInput(10).refine((limit) => limit <= 20, { error: 'must be an integer from 1 to 20' }),
  starting_after: cursorInput.optional(),
});
export type WalletSubscriptionsQuery = z.infer<typeof WalletSubscriptionsQuery>;
/** A request for a page of a wallet's subscriptions: `limit` is 1 to 20, 10 when absent. */
export type WalletSubscriptionsQueryInput = z.input<typeof WalletSubscriptionsQuery>;

/** What the wallet wants to do. */
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
export const WalletSubmitted = z.strictObject({ signature: z.string() });
export type WalletSubmitted = z.infer<typeof WalletSubmitted>;

/** What the wallet did, and the signature of its transaction. */
export const WalletConfirmBody = fields({ action: WalletAction, signature: signatureInput });
export type WalletConfirmBody = z.infer<typeof WalletConfirmBody>;

/** The subscription as the chain shows it. `reason` and `reason_code` are null when the action is done. */
export const WalletConfirmation = z.strictObject({
  subscription: WalletSubscription,
  reason: z.string().nullable(),
  reason_code: ReasonCode.nullable(),
});
export type WalletConfirmation = z.infer<typeof WalletConfirmation>;
