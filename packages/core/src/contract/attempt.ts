import * as z from 'zod';

import { AttemptOutcome } from './enums.js';
import { page } from './page.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/**
 * The known reasons why a charge was not paid. New ones may appear, and `program_<code>` and `solana_<code>` may
 * appear with any number.
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

/** One attempt to charge a subscription. `reason` is a snake_case string, and new values of it may appear. */
export const AttemptWire = z.strictObject({
  id: z.string(),
  attempted_at: isoDate,
  outcome: AttemptOutcome,
  reason: z
    .string()
    .meta({ examples: [...ATTEMPT_REASONS] })
    .nullable(),
  amount: amountText,
  amount_received: amountText.nullable(),
  amount_usd: decimalText.nullable(),
  signature: z.string().nullable(),
  retry: z.boolean(),
  retry_number: z.int().min(1).nullable(),
  retries_allowed: z.int().min(1).nullable(),
  period_start: isoDate.nullable(),
});
export type AttemptWire = z.infer<typeof AttemptWire>;

/** A page of attempts. `paid` sums up every paid attempt since the subscription began, not only those of the page. */
export const AttemptPage = page(AttemptWire).extend({
  paid: z.strictObject({ count: z.int().min(0), amount: amountText }),
});
export type AttemptPage = z.infer<typeof AttemptPage>;
