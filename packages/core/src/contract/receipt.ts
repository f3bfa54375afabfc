import * as z from 'zod';

import { Network } from './enums.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/** The receipt of a payment: what is needed to keep books with it. */
export const ReceiptWire = z.strictObject({
  number: z.string().describe('Its number in the project, such as NIGHT-000042.'),
  attempt: z.string().describe('The id of the attempt that paid.'),
  subscription: z.string().describe('The id of the subscription.'),
  paid_at: isoDate.describe('When it was paid.'),
  network: Network.describe('The cluster on which it was paid.'),
  seller: z
    .strictObject({
      name: z.string().describe('The legal name; the name of the project without one.'),
      address: z.array(z.string()).describe('The lines of the address; none without one.'),
      tax_id: z.string().nullable().describe('The tax id; null without one.'),
    })
    .describe('Who was paid, by what the project says now.'),
  customer: z
    .strictObject({
      email: z.string().nullable().describe('The email.'),
      external_id: z.string().nullable().describe("The app's own id of the customer."),
      wallet: z.string().describe('The wallet that paid.'),
    })
    .describe('Who paid, by what the subscription says now.'),
  plan: z.string().describe("The plan's slug."),
  plan_name: z.string().describe("The plan's name."),
  period_start: isoDate.nullable().describe('Start of the period that was paid; null when it is not known.'),
  period_end: isoDate.nullable().describe('End of that period.'),
  symbol: z.string().nullable().describe('The symbol of the token; null without one that can be told apart.'),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  amount: amountText.describe("What was paid, in the token's smallest unit."),
  amount_display: decimalText.describe('The same in whole tokens.'),
  amount_received: amountText
    .nullable()
    .describe('What arrived, in the smallest unit; null when it is not known.'),
  token_fee_display: decimalText
    .nullable()
    .describe('What the token itself took of it as a fee, in whole tokens; null when it is not known.'),
  amount_usd: decimalText
    .nullable()
    .describe('Its worth in dollars at the charge; null when no price was found.'),
  signature: z.string().nullable().describe('The transaction that paid, in base58.'),
  refunds: z
    .array(
      z.strictObject({
        refunded_at: isoDate.describe('When its transaction landed.'),
        amount_display: decimalText.describe('What it gave back of this payment, in whole tokens.'),
        signature: z.string().describe('The transaction that gave it back, in base58.'),
      }),
    )
    .describe('What was given back of it, as far as it is recorded, the first one first.'),
});
export type ReceiptWire = z.infer<typeof ReceiptWire>;
