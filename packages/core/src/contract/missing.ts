import * as z from 'zod';

import { amountText } from './scalars.js';

/** The money that a wallet lacks for a payment. */
export const Missing = z.strictObject({
  of: z.enum(['token', 'sol']).describe("token: the plan's own. sol: for fees and deposits."),
  amount: amountText.describe('What has to be added, in the smallest unit.'),
  needed: amountText.describe('What the wallet must hold then, in the smallest unit.'),
  decimals: z.int().min(0).describe('The decimals of the unit in which people read both.'),
  symbol: z.string().nullable().describe('The symbol to show beside amounts; null for none.'),
});
export type Missing = z.infer<typeof Missing>;
