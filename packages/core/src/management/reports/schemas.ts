import * as z from 'zod';

import { EndReason, StopReason, AttemptOutcome } from '../../contract/enums.js';
import { limitInput, nextInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { amountText, isoDate, decimalText } from '../../contract/scalars.js';

/** The ids of records that a report leaves out, because the store cannot read them. */
const unreadable = z.array(z.string());

/** Which page of what comes next to list. */
export const UpcomingQuery = fields({ limit: limitInput(20), starting_after: nextInput.optional() });
export type UpcomingQuery = z.infer<typeof UpcomingQuery>;
/** A request for a page of what comes next: `limit` is 1 to 100, 20 when absent. */
export type UpcomingQueryInput = z.input<typeof UpcomingQuery>;

/** A charge, a retry or an end of a subscription that comes next. */
export const UpcomingWire = z.strictObject({
  /** Its place in the list. It is the id of no record. */
  id: z.string(),
  kind: z.enum(['charge', 'retry', 'end']),
  /** When the service acts: charges, or records the end. A date that has passed is overdue. */
  due_at: isoDate,
  /** The `end_reason` or `stop_reason` that an end will have; null of a charge and a retry. */
  reason: z.enum([...EndReason.options, ...StopReason.options]).nullable(),
  subscription: z.string(),
  /** The plan's slug. */
  plan: z.string(),
  wallet: z.string(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  /** The plan's price, in the token's smallest unit; null of an end. */
  amount: amountText.nullable(),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
});
export type UpcomingWire = z.infer<typeof UpcomingWire>;

/** A page of what comes next, soonest first. */
export const UpcomingPage = page(UpcomingWire, 'What comes next, soonest first.').extend({
  /** The `starting_after` of the next page, also when this page has no items; null after the last page. */
  next: z.string().nullable(),
  unreadable,
});
export type UpcomingPage = z.infer<typeof UpcomingPage>;

const DAYS = { error: 'must be an integer from 1 to 90' };

/** How many days a schedule has, from today on. */
export const ScheduleQuery = fields({
  days: z
    .union(
      [
        z.int().min(1).max(90),
        z
          .string()
          .regex(/^([1-8]?[1-9]|[1-9]0)$/)
          .transform(Number),
      ],
      DAYS,
    )
    .default(30)
    .describe('How many days from now, 1 to 90.'),
});
export type ScheduleQuery = z.infer<typeof ScheduleQuery>;
/** A request for a schedule: `days` is 1 to 90, 30 when absent. */
export type ScheduleQueryInput = z.input<typeof ScheduleQuery>;

/** How many there are, and the sum of their amounts in the token's smallest unit. */
export const CountAndAmount = z.strictObject({ count: z.int().min(0), amount: amountText });
export type CountAndAmount = z.infer<typeof CountAndAmount>;

/** What is due on one day in one token. */
const ScheduledDay = z.strictObject({
  /** The day in UTC, such as `2026-10-02`. */
  date: z.iso.date(),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  charges: CountAndAmount,
  retries: CountAndAmount,
});
type ScheduledDay = z.infer<typeof ScheduledDay>;

/** What is due on each day in each token, the first day first; a day without any is left out. */
export const Schedule = z.strictObject({
  /** Today, in UTC. What is overdue is due today. */
  from: z.iso.date(),
  /** The last day. */
  to: z.iso.date(),
  data: z.array(ScheduledDay),
  unreadable,
});
export type Schedule = z.infer<typeof Schedule>;

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
