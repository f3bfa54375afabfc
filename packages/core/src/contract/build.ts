import * as z from 'zod';

import { amountText, isoDate } from './scalars.js';

/** An unsigned transaction, in base64, for the wallet to sign, and when it expires. */
export const BuildAnswer = z.strictObject({
  transaction: z.string(),
  last_valid_block_height: amountText,
  transaction_expires_at: isoDate,
});
export type BuildAnswer = z.infer<typeof BuildAnswer>;

/** What signing costs the wallet besides the price, in lamports. */
export const CostsWire = z.strictObject({
  rent: z.strictObject({
    subscription: amountText,
    authority: amountText.nullable(),
    total: amountText,
  }),
  fee: z.strictObject({
    signatures: z.int().min(1),
    per_signature: amountText,
    priority: amountText,
    total: amountText,
  }),
  total: amountText,
});
export type CostsWire = z.infer<typeof CostsWire>;

/** The terms of a checkout: a text that the wallet signs as it is, before it signs the transaction. */
export const TermsWire = z.strictObject({ message: z.string(), expires_at: isoDate });
export type TermsWire = z.infer<typeof TermsWire>;

/** A checkout: the pending subscription, its transaction, what signing costs, and its terms. */
export const CreateAnswer = z.strictObject({
  subscription: z.strictObject({ id: z.string(), status: z.literal('pending') }),
  ...BuildAnswer.shape,
  costs: CostsWire,
  terms: TermsWire,
});
export type CreateAnswer = z.infer<typeof CreateAnswer>;
