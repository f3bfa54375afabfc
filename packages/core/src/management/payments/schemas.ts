import * as z from 'zod';

import { AttemptWire } from '../../contract/attempt.js';
import { page } from '../../contract/page.js';
import { amountText, decimalText, isoDate } from '../../contract/scalars.js';

/** An attempt to charge a subscription, as the list of a project's payments shows it. */
export const PaymentWire = AttemptWire.omit({ retries_allowed: true }).extend({
  /** The amount in whole tokens. */
  amount_display: decimalText,
  /** The symbol of the token; null when it has none that can be told apart. */
  symbol: z.string().nullable(),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  /** The network fee that the charger paid, in lamports; null when there was none or it is not known. */
  fee_lamports: amountText.nullable(),
  /** End of the period charged for. */
  period_end: isoDate.nullable(),
  /** The plan's slug. */
  plan: z.string(),
  subscription: z.string(),
  wallet: z.string(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  /** What was given back of it, as recorded, in whole tokens. */
  refunded_display: decimalText,
  /** The same in the token's smallest unit. */
  refunded_amount: amountText,
  /** The signatures of the transactions that gave it back, with spaces between them; null without any. */
  refund_signatures: z.string().nullable(),
  /** The number of its receipt; null for what did not pay. */
  receipt_number: z.string().nullable(),
});
export type PaymentWire = z.infer<typeof PaymentWire>;

/** A page of payments, newest first. */
export const PaymentPage = page(PaymentWire, 'The payments of this page, newest first.').extend({
  /** The `starting_after` of the next page, also when this page found none; null after the last page. */
  next: z.string().nullable(),
  /** The ids of attempts that the store cannot read: a row is damaged, or a newer release wrote it. */
  unreadable: z.array(z.string()),
});
export type PaymentPage = z.infer<typeof PaymentPage>;
