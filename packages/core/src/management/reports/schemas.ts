import * as z from 'zod';

import { EndReason, StopReason, AttemptOutcome } from '../../contract/enums.js';
import { limitInput, nextInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { amountText, isoDate, decimalText } from '../../contract/scalars.js';

/** The ids of records that a report leaves out, because the store cannot read them. */
const unreadable = z.array(z.string());

const token = {
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
};

/** The end or stop of a subscription. */
const EndOrStop = z.enum([...EndReason.options, ...StopReason.options]);

/** A request for a page of what comes next. */
export const UpcomingQuery = fields({ limit: limitInput(20), starting_after: nextInput.optional() });
export type UpcomingQuery = z.infer<typeof UpcomingQuery>;
/** A request for a page of what comes next: `limit` is 1 to 100, 20 when absent. */
export type UpcomingQueryInput = z.input<typeof UpcomingQuery>;

/** A charge, a retry or an end of a subscription that comes next. */
export const UpcomingWire = z.strictObject({
  /** The place in the list, and no id of a record. */
  id: z.string(),
  kind: z.enum(['charge', 'retry', 'end']),
  /** When the service acts: charges, or records the end. A date that has passed is overdue. */
  due_at: isoDate,
  /** The `end_reason` or `stop_reason` that an end will have; null of a charge and a retry. */
  reason: EndOrStop.nullable(),
  subscription: z.string(),
  /** The plan's slug. */
  plan: z.string(),
  wallet: z.string(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  /** The plan's price, in the token's smallest unit; null of an end. */
  amount: amountText.nullable(),
  ...token,
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

/** How many days from now. */
export const daysAheadInput = z.union(
  [
    z.int().min(1).max(90),
    z
      .string()
      .regex(/^([1-8]?[1-9]|[1-9]0)$/)
      .transform(Number),
  ],
  DAYS,
);

/** A request for the days of a schedule, from today on. */
export const ScheduleQuery = fields({
  days: daysAheadInput.default(30).describe('How many days from now, 1 to 90.'),
});
export type ScheduleQuery = z.infer<typeof ScheduleQuery>;
/** A request for a schedule: `days` is 1 to 90, 30 when absent. */
export type ScheduleQueryInput = z.input<typeof ScheduleQuery>;

/** A count, and the sum of the amounts in the token's smallest unit. */
export const CountAndAmount = z.strictObject({ count: z.int().min(0), amount: amountText });
export type CountAndAmount = z.infer<typeof CountAndAmount>;

/** A sum of a schedule, and its worth in US dollars at the last price; null without one. */
export const ScheduledSum = CountAndAmount.extend({ amount_usd: decimalText.nullable() });
export type ScheduledSum = z.infer<typeof ScheduledSum>;

/** The charges and retries due on a day in a token. */
const ScheduledDay = z.strictObject({
  /** The day in UTC, such as `2026-10-02`. */
  date: z.iso.date(),
  ...token,
  charges: ScheduledSum,
  retries: ScheduledSum,
});
type ScheduledDay = z.infer<typeof ScheduledDay>;

/** The due charges and retries by day and token, the first day first; a day without any is left out. */
export const Schedule = z.strictObject({
  /** Today, in UTC. Overdue work is due today. */
  from: z.iso.date(),
  /** The last day. */
  to: z.iso.date(),
  data: z.array(ScheduledDay),
  unreadable,
});
export type Schedule = z.infer<typeof Schedule>;

/** A request for the days of an overview. */
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

/** The charges that paid: their number, their sum, and its worth when each was charged. */
export const Collected = CountAndAmount.extend({
  /** In US dollars, without the charges that had no price. */
  amount_usd: decimalText,
  /** The number of charges without a price. */
  unpriced: z.int().min(0),
});
export type Collected = z.infer<typeof Collected>;

/** Amounts are in the token's smallest unit. */
const money = {
  /** The charges that paid, first payments and comebacks included. */
  collected: Collected,
  /** The periods whose first charge was rejected. */
  failed: CountAndAmount,
  /** The periods that were paid after a rejected charge. */
  won_back: CountAndAmount,
  /** The price of the missed period of each late subscription. */
  owed: CountAndAmount,
};

/** The overview of one token. */
export const TokenOverview = z.strictObject({
  ...token,
  ...money,
});
export type TokenOverview = z.infer<typeof TokenOverview>;

/** The overview of one plan. */
export const PlanOverview = z.strictObject({
  /** Its slug. */
  plan: z.string(),
  ...token,
  ...money,
  /** Subscriptions that began without an earlier one. */
  new: z.int().min(0),
  /** Subscriptions that came back: comebacks, and those found on chain again. */
  returned: z.int().min(0),
  /** Subscriptions that stopped or ended. */
  lost: z.int().min(0),
  /** Subscriptions that are active now, late now, or cancelled and not over yet, without parked ones. */
  active: z.int().min(0),
  late: z.int().min(0),
  cancelled: z.int().min(0),
  /** Running subscriptions that are parked. */
  parked: z.int().min(0),
  /** Running subscriptions that are blocked, parked or not. */
  blocked: z.int().min(0),
});
export type PlanOverview = z.infer<typeof PlanOverview>;

/** How often something had a reason. */
export const Causes = z.array(z.strictObject({ reason: z.string(), count: z.int().min(1) }));

/** How often a charge did not pay, and why. */
export const FailureCauses = z.array(
  z.strictObject({ outcome: AttemptOutcome.exclude(['paid']), reason: z.string(), count: z.int().min(1) }),
);

/** The last days of a project in figures, the first of which began at `since`. */
export const Overview = z.strictObject({
  since: isoDate,
  until: isoDate,
  tokens: z.array(TokenOverview),
  plans: z.array(PlanOverview),
  new: z.int().min(0),
  returned: z.int().min(0),
  lost: z.int().min(0),
  /** Why subscriptions were lost, the most frequent cause first. */
  lost_causes: Causes,
  /** Why charges did not pay, the most frequent cause first. */
  failure_causes: FailureCauses,
  /** The number of paid charges without a price. */
  unpriced: z.int().min(0),
});
export type Overview = z.infer<typeof Overview>;
