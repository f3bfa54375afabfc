import * as z from 'zod';

import { subscription } from './example-subscription.js';
import { amountText, isoDate } from './scalars.js';

const build = {
  transaction: 'AQAB',
  last_valid_block_height: '312345678',
  transaction_expires_at: '2026-10-02T08:30:01.000Z',
};

/** An unsigned transaction, in base64, for the wallet to sign, and when it expires. */
export const BuildAnswer = z
  .strictObject({
    transaction: z.string().describe('The unsigned transaction, in base64, for the wallet to sign.'),
    last_valid_block_height: amountText.describe(
      'The block height after which the transaction can no longer land.',
    ),
    transaction_expires_at: isoDate.describe(
      'About when it becomes too late to submit the signed transaction: 30 seconds before the chain passes last_valid_block_height.',
    ),
  })
  .meta({ answer: 'Build', example: build });
export type BuildAnswer = z.infer<typeof BuildAnswer>;

/** The costs of signing besides the price, in lamports. */
export const CostsWire = z
  .strictObject({
    rent: z
      .strictObject({
        subscription: amountText.describe("The subscription's deposit, in lamports."),
        authority: amountText
          .nullable()
          .describe(
            "The deposit of the wallet's authority for the token, in lamports; null when the authority exists already.",
          ),
        total: amountText.describe('Both deposits together, in lamports.'),
      })
      .describe('The deposits; returned to the wallet on close.'),
    fee: z
      .strictObject({
        signatures: z.int().min(1).describe('How many signatures the transaction takes.'),
        per_signature: amountText.describe('The fee for each signature, in lamports.'),
        priority: amountText.describe('The priority fee, in lamports.'),
        total: amountText.describe('All signatures and the priority fee together, in lamports.'),
      })
      .describe('The fees of the transaction; spent, not returned.'),
    total: amountText.describe('Deposits and fees together, in lamports.'),
  })
  .meta({ answer: 'Costs' });
export type CostsWire = z.infer<typeof CostsWire>;

/** The terms of a checkout: a text that the wallet signs as it is, before it signs the transaction. */
export const TermsWire = z
  .strictObject({
    message: z.string().describe('The text that the wallet signs as it is, with one fact on each line.'),
    expires_at: isoDate.describe('Until when a signature of these terms is accepted.'),
  })
  .meta({ answer: 'Terms' });
export type TermsWire = z.infer<typeof TermsWire>;

/** A checkout: the pending subscription, its transaction, what signing costs, and its terms. */
export const CreateAnswer = z
  .strictObject({
    subscription: z
      .strictObject({
        id: z.string().describe('Its id, for every further call about it.'),
        status: z.literal('pending').describe('pending until the first payment landed.'),
      })
      .describe('The subscription that was reserved.'),
    ...BuildAnswer.shape,
    transaction: BuildAnswer.shape.transaction.describe(
      'The unsigned transaction, in base64, for the wallet to sign after the terms.',
    ),
    costs: CostsWire.describe('What signing costs the wallet besides the price, in lamports.'),
    terms: TermsWire.describe('What the wallet signs before the transaction.'),
  })
  .meta({
    answer: 'Created',
    example: {
      subscription: { id: subscription.id, status: 'pending' },
      ...build,
      costs: {
        rent: { subscription: '2039280', authority: null, total: '2039280' },
        fee: { signatures: 2, per_signature: '5000', priority: '0', total: '10000' },
        total: '2049280',
      },
      terms: { message: 'Subscribe to Pro by Acme', expires_at: '2026-10-02T08:34:30.000Z' },
    },
  });
export type CreateAnswer = z.infer<typeof CreateAnswer>;
