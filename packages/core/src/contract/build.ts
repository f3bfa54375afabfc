import { z } from 'zod';

import { amountText, isoDate } from './scalars.js';

/** Contract, Build answer: an unsigned transaction, base64, for the wallet to sign. */
export const BuildAnswer = z.strictObject({
  transaction: z.string(),
  last_valid_block_height: amountText,
  transaction_expires_at: isoDate,
});
export type BuildAnswer = z.infer<typeof BuildAnswer>;

/** What signing costs the wallet beside the price, in lamports (D12.5). */
export const Costs = z.strictObject({
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
export type Costs = z.infer<typeof Costs>;

/** The terms the wallet signs as they are, before the transaction (D13). */
export const Terms = z.strictObject({ message: z.string(), expires_at: isoDate });
export type Terms = z.infer<typeof Terms>;

/** What create and transaction answer. */
export const CreateAnswer = z.strictObject({
  subscription: z.strictObject({ id: z.string(), status: z.literal('pending') }),
  ...BuildAnswer.shape,
  costs: Costs,
  terms: Terms,
});
export type CreateAnswer = z.infer<typeof CreateAnswer>;
