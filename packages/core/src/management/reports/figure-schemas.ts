import * as z from 'zod';

import { ExportFormat } from '../../contract/export-format.js';
import { mintInput, slugInput } from '../../contract/inputs.js';
import { fields } from '../../contract/requests.js';
import { amountText, decimalText } from '../../contract/scalars.js';
import { Causes, Collected, CountAndAmount, FailureCauses } from './schemas.js';

/** A day in UTC, such as `2026-10-02`. */
const dateInput = z.iso.date({ error: 'must be a date in UTC, such as 2026-10-02' });

/** A request for figures of a span of days. */
export const FiguresQuery = fields({
  from: dateInput.optional().describe('The first day, in UTC. In place of `days`.'),
  days: z
    .union(
      [
        z.int().min(1).max(1_096),
        z
          .string()
          .regex(/^[1-9][0-9]{0,3}$/)
          .transform(Number)
          .refine((days) => days <= 1_096),
      ],
      { error: 'must be an integer from 1 to 1096' },
    )
    .optional()
    .describe('How many days until `to`, 1 to 1096. 30 when absent.'),
  to: dateInput.optional().describe('The last day, in UTC, which counts. Today when absent.'),
  by: z
    .enum(['day', 'week', 'month'], { error: 'must be day, week or month' })
    .default('day')
    .describe('How long the parts are. Weeks begin on Monday; the first and the last part may be shorter.'),
  per: z
    .enum(['project', 'plan'], { error: 'must be project or plan' })
    .default('project')
    .describe('Whether each part has one row of the whole project, or one for each plan.'),
  plan: slugInput.optional().describe('The slug of one plan; every plan when absent.'),
  mint: mintInput.optional().describe("The address of one token's mint; every token when absent."),
});
export type FiguresQuery = z.infer<typeof FiguresQuery>;
/** A request for figures: the last 30 days by day and of the whole project, when nothing is given. */
export type FiguresQueryInput = z.input<typeof FiguresQuery>;

/** Which figures to export, and in which form. */
export const FiguresExport = FiguresQuery.omit({ per: true }).extend({ format: ExportFormat });
export type FiguresExport = z.infer<typeof FiguresExport>;
/** Which figures to export, as `csv` or `ndjson`: the last 30 days by day, when nothing else is given. */
export type FiguresExportInput = z.input<typeof FiguresExport>;

/** The columns of an export, in their order, to which releases add others at the end. */
export const FIGURE_COLUMNS = [
  'date',
  'plan',
  'symbol',
  'collected_count',
  'collected_display',
  'collected_usd',
  'unpriced_count',
  'failed_count',
  'failed_display',
  'recovered_count',
  'recovered_display',
  'mrr_display',
  'mrr_usd',
  'new',
  'returned',
  'lost',
  'active',
  'recurring',
  'fees_lamports',
  'collected_amount',
  'failed_amount',
  'recovered_amount',
  'mrr_amount',
  'decimals',
  'mint',
] as const;

const count = z.int().min(0);
/** A share, such as 0.25; null of nothing. */
const share = z.number().min(0).nullable();

/** The money of a token. Amounts are in its smallest unit. */
export const TokenFigures = z.strictObject({
  mint: z.string().describe("The token's address."),
  symbol: z.string().nullable().describe("The token's symbol; null when it has none that can be shown."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  /** The charges that paid, first payments and comebacks included. */
  collected: Collected,
  /** The periods whose first charge was rejected. */
  failed: CountAndAmount,
  /** The periods that were paid after a rejected charge. */
  recovered: CountAndAmount,
  /** Monthly recurring revenue at the end of the part, and its worth at the last price; null without one. */
  mrr: z.strictObject({ amount: amountText, amount_usd: decimalText.nullable() }),
});
export type TokenFigures = z.infer<typeof TokenFigures>;

/** The figures of a part of the span. */
export const FigureRow = z.strictObject({
  /** The first day of the part, in UTC. */
  date: z.iso.date(),
  /** The slug of the plan; null of the whole project. */
  plan: z.string().nullable(),
  tokens: z.array(TokenFigures),
  /** Monthly recurring revenue of all tokens in US dollars; null when a token with some has no price. */
  mrr_usd: decimalText.nullable(),
  /** The network fees that the charger paid, in lamports. */
  fees_lamports: amountText,
  /** Subscriptions that began, without those that came back. */
  new: count,
  /** Subscriptions that came back: comebacks, and those found on chain again. */
  returned: count,
  /** Subscriptions that stopped or ended. */
  lost: count,
  /** Subscriptions that run at the end of the part, cancelled ones included. */
  active: count,
  /** Subscriptions that recur then, which monthly recurring revenue is made of. */
  recurring: count,
  /** Subscriptions lost without changes of plan, divided by those that ran when the part began. */
  churn_rate: share,
});
export type FigureRow = z.infer<typeof FigureRow>;

/** The figures of the whole span, with causes and rates. */
export const FigureTotals = FigureRow.omit({ date: true, plan: true }).extend({
  /** Why subscriptions were lost, the most frequent cause first. */
  lost_causes: Causes,
  /** Why subscriptions that run no longer recur, such as `cancelled`. */
  lapsed_causes: Causes,
  /** Why charges did not pay, the most frequent cause first. */
  failure_causes: FailureCauses,
  /** The retries by their number, which is null of those without one, and the share that paid. */
  retries: z.array(
    z.strictObject({ number: z.int().min(1).nullable(), paid: count, failed: count, rate: share }),
  ),
  /** The share of failed periods that were recovered. A period may have failed before the span. */
  recovery_rate: share,
});
export type FigureTotals = z.infer<typeof FigureTotals>;

/** The figures of a span, the first part first. */
export const FigureReport = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  by: z.enum(['day', 'week', 'month']),
  data: z.array(FigureRow),
  total: FigureTotals,
});
export type FigureReport = z.infer<typeof FigureReport>;

/** A request for cohorts. */
export const CohortsQuery = fields({
  plan: slugInput.optional().describe('The slug of one plan; every plan when absent.'),
  months: z
    .union(
      [
        z.int().min(1).max(36),
        z
          .string()
          .regex(/^([1-9]|[12][0-9]|3[0-6])$/)
          .transform(Number),
      ],
      { error: 'must be an integer from 1 to 36' },
    )
    .default(12)
    .describe('How many months, this one included, 1 to 36.'),
});
export type CohortsQuery = z.infer<typeof CohortsQuery>;
/** A request for cohorts: the last 12 months when nothing is given. */
export type CohortsQueryInput = z.input<typeof CohortsQuery>;

/** The subscriptions whose first payment was in one month, and how many of them run later. */
const Cohort = z.strictObject({
  /** The month in UTC, such as `2026-10`. */
  month: z.string(),
  /** How many began. */
  size: count,
  /** How many run at the end of that month and of each later one; the last number is of now. */
  running: z.array(count),
});

/** The cohorts of a project, the earliest first. */
export const CohortReport = z.strictObject({ data: z.array(Cohort) });
export type CohortReport = z.infer<typeof CohortReport>;

/** Which days to count anew. */
export const RebuildBody = fields({
  from: dateInput
    .optional()
    .describe('The day to begin with, in UTC: the `next` of the previous call. The first when absent.'),
});
export type RebuildBody = z.infer<typeof RebuildBody>;

/** The days that a call counted anew. */
export const Rebuilt = z.strictObject({
  /** The first day that was counted anew, in UTC. */
  from: z.iso.date(),
  /** The last one. */
  to: z.iso.date(),
  /** How many of these days had other figures before. */
  changed: count,
  /** How many days are left. */
  left: count,
  /** The `from` of the next call; null when no day is left. */
  next: z.iso.date().nullable(),
  /** The ids of records that were left out, because the store cannot read them. */
  unreadable: z.array(z.string()),
});
export type Rebuilt = z.infer<typeof Rebuilt>;
