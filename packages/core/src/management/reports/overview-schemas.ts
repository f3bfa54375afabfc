import * as z from 'zod';

import { AttemptOutcome, EndReason, StopReason } from '../../contract/enums.js';
import { CountAndAmount } from './schemas.js';
import { fields } from '../../contract/requests.js';
import { decimalText, isoDate } from '../../contract/scalars.js';

/** How many days an overview covers. */
export const OverviewQuery = fields({
  days: z
    .union([z.literal([7, 30, 90]), z.enum(['7', '30', '90']).transform(Number)], {
      error: 'must be 7, 30 or 90',
    })
    .default(30)
    .describe('How many days until now: 7, 30 or 90.'),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;
/** A request for an overview: `days` is 7, 30 or 90, 30 when absent. */
export type OverviewQueryInput = z.input<typeof OverviewQuery>;

/** What was collected: how many charges paid, their sum, and what it was worth when each was charged. */
export const Collected = CountAndAmount.extend({
  /** In US dollars, without the charges that had no price. */
  amount_usd: decimalText,
  /** How many of the charges have no price. */
  unpriced: z.int().min(0),
});
export type Collected = z.infer<typeof Collected>;

/** What was collected, failed, won back and is owed. Amounts are in the token's smallest unit. */
const money = {
  /** The charges that paid, first payments and comebacks included. */
  collected: Collected,
  /** The periods whose first charge was rejected. */
  failed: CountAndAmount,
  /** The periods that were paid after a rejected charge. */
  won_back: CountAndAmount,
  /** What is late now: the price of the missed period of each late subscription. */
  owed: CountAndAmount,
};

/** The overview of one token. */
export const TokenOverview = z.strictObject({
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  ...money,
});
export type TokenOverview = z.infer<typeof TokenOverview>;

/** The overview of one plan. */
export const PlanOverview = z.strictObject({
  /** Its slug. */
  plan: z.string(),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  ...money,
  /** How many subscriptions began without one before. */
  new: z.int().min(0),
  /** How many began as a comeback. */
  returned: z.int().min(0),
  /** How many stopped or ended, and have not come back since. */
  lost: z.int().min(0),
  /** How many are active now, late now, or cancelled and not over yet: without the parked ones. */
  active: z.int().min(0),
  late: z.int().min(0),
  cancelled: z.int().min(0),
  /** How many of those that run now are parked. */
  parked: z.int().min(0),
  /** How many of those that run now are blocked, whatever else they are. */
  blocked: z.int().min(0),
});
export type PlanOverview = z.infer<typeof PlanOverview>;

/** How many attempts had a result other than `paid`, and why. */
export const AttemptCause = z.strictObject({
  outcome: AttemptOutcome.exclude(['paid']),
  reason: z.string(),
  count: z.int().min(1),
});
export type AttemptCause = z.infer<typeof AttemptCause>;

/** How many subscriptions were lost for one reason, a `stop_reason` or an `end_reason`; null when none was recorded. */
export const LossCause = z.strictObject({
  reason: z.enum([...EndReason.options, ...StopReason.options]).nullable(),
  count: z.int().min(1),
});
export type LossCause = z.infer<typeof LossCause>;

/** What happened in a project in the last days. */
export const Overview = z.strictObject({
  since: isoDate,
  until: isoDate,
  tokens: z.array(TokenOverview),
  plans: z.array(PlanOverview),
  new: z.int().min(0),
  returned: z.int().min(0),
  lost: z.int().min(0),
  /** Why subscriptions were lost, the most frequent cause first. */
  lost_causes: z.array(LossCause),
  /** Why charges did not pay, the most frequent cause first. */
  failure_causes: z.array(AttemptCause),
  /** How many charges paid and have no price. */
  unpriced: z.int().min(0),
  /** The ids of records that it leaves out, because the store cannot read them. */
  unreadable: z.array(z.string()),
});
export type Overview = z.infer<typeof Overview>;
