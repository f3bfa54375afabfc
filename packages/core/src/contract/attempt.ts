import * as z from 'zod';

import { SIGNATURE, START } from './example-subscription.js';
import { AttemptOutcome } from './enums.js';
import { page } from './page.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/**
 * The reasons why a charge was not paid. New ones may appear, and any `program_<code>` and `solana_<code>`.
 */
export const ATTEMPT_REASONS = [
  'insufficient_balance',
  'token_account_reassigned',
  'token_account_frozen',
  'authority_closed',
  'program_1',
  'program_4',
  'program_103',
  'program_136',
  'program_508',
  'cancelled',
  'closed_elsewhere',
  'plan_removed',
  'plan_replaced',
  'plan_ended',
  'receiver_not_allowed',
  'receiver_account_missing',
  'receiver_account_frozen',
  'receiver_account_needs_memo',
  'receiver_account_confidential_only',
  'mint_paused',
  'mint_transfer_hook',
  'puller_not_allowed',
  'program_130',
  'program_501',
  'program_506',
  'program_516',
  'program_519',
  'period_already_paid',
  'period_missed',
  'terms_missing',
  'puller_missing',
  'mint_gone',
  'gone_unconfirmed',
  'send_unconfirmed',
  'landing_unknown',
  'program_400',
  'solana_-32005',
  'transport',
] as const;

/** An attempt to charge a subscription. `reason` is a snake_case string, and new values may appear. */
export const AttemptWire = z
  .strictObject({
    id: z.string().describe('Its id, att_ and 24 letters or digits.'),
    attempted_at: isoDate.describe('When the charge was tried.'),
    outcome: AttemptOutcome.describe('The outcome of the charge. New values may appear.'),
    reason: z
      .string()
      .meta({ examples: [...ATTEMPT_REASONS] })
      .nullable()
      .describe('Why it was not paid, a snake_case name; null when paid. New values may appear.'),
    amount: amountText.describe(
      "The amount that was charged, or was to be charged, in the token's smallest unit.",
    ),
    amount_received: amountText
      .nullable()
      .describe(
        "What the receiver's balance grew by: less than amount when the token has a transfer fee. Null when not paid or not known.",
      ),
    amount_usd: decimalText
      .nullable()
      .describe('The amount in dollars, priced once at the charge; null when no price was found.'),
    signature: z.string().nullable().describe('The transaction that paid, in base58; null when none did.'),
    retry: z.boolean().describe('Whether a charge for this period had failed before.'),
    retry_number: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'Which retry it was, 1 for the first; null when it was no retry, or a manual one on a tier with automatic retries.',
      ),
    retries_allowed: z
      .int()
      .min(1)
      .nullable()
      .describe('How many retries the period had then; null when retry_number is.'),
    period_start: isoDate
      .nullable()
      .describe('Start of the period charged for; null when the service stopped before reading it.'),
  })
  .meta({ answer: 'Attempt' });
export type AttemptWire = z.infer<typeof AttemptWire>;

/** A page of attempts. `paid` sums up every paid attempt since the subscription began. */
export const AttemptPage = page(AttemptWire, 'The charges of this page, newest first.')
  .extend({
    paid: z
      .strictObject({
        count: z.int().min(0).describe('The number of paid charges.'),
        amount: amountText.describe("The sum of their amounts, in the token's smallest unit."),
      })
      .describe('The sum over every paid charge since the subscription began.'),
  })
  .meta({
    answer: 'AttemptPage',
    example: {
      data: [
        {
          id: 'att_9Zz8Yy7Xx6Ww5Vv4Uu3Tt2Ss',
          attempted_at: START,
          outcome: 'paid',
          reason: null,
          amount: '9990000',
          amount_received: '9990000',
          amount_usd: '9.99',
          signature: SIGNATURE,
          retry: false,
          retry_number: null,
          retries_allowed: null,
          period_start: START,
        },
      ],
      has_more: false,
      paid: { count: 1, amount: '9990000' },
    },
  });
export type AttemptPage = z.infer<typeof AttemptPage>;
