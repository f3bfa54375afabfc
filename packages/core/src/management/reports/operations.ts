import { ExportText } from '../../contract/export-format.js';
import { operation } from '../../operations/operation.js';
import { readCohorts } from './cohorts.js';
import { exportFigures } from './export.js';
import {
  CohortReport,
  CohortsQuery,
  type CohortsQueryInput,
  FigureReport,
  FiguresExport,
  type FiguresExportInput,
  FiguresQuery,
  type FiguresQueryInput,
  RebuildBody,
  Rebuilt,
} from './figure-schemas.js';
import { readFigureReport } from './figures.js';
import { readOverview } from './overview.js';
import { rebuildFigures } from './rebuild-figures.js';
import { readSchedule } from './schedule.js';
import {
  Overview,
  OverviewQuery,
  type OverviewQueryInput,
  Schedule,
  ScheduleQuery,
  UpcomingPage,
  UpcomingQuery,
  type UpcomingQueryInput,
  type ScheduleQueryInput,
} from './schemas.js';
import { listUpcoming } from './upcoming.js';

export const reportOperations = {
  /**
   * Lists upcoming charges, retries and ends, soonest first, `limit` (1 to 100, 20 when absent) at a time.
   * Amounts are text, in the token's smallest unit. A subscription has its next charge or retry, and its end
   * when one is known.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`.
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.reports.upcoming({ limit: 100 });
   * for (const { due_at, kind, plan, amount } of data) console.log(due_at, kind, plan, amount);
   */
  upcoming: operation<(query?: UpcomingQueryInput) => Promise<UpcomingPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/upcoming',
    input: UpcomingQuery.prefault({}),
    output: UpcomingPage,
    summary: "A project's upcoming charges, retries and ends, soonest first.",
    run: ({ service, project, input }) => listUpcoming(service, project, input),
  }),
  /**
   * Sums up the due charges of each day (UTC) in each token, for `days` (1 to 90, 30 when absent) from today
   * on. Each subscription counts with every charge that falls on these days before its end, as if every
   * charge pays.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.reports.schedule({ days: 7 });
   * for (const { date, charges, retries } of data) console.log(date, charges.amount, retries.amount);
   */
  schedule: operation<(query?: ScheduleQueryInput) => Promise<Schedule>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/schedule',
    input: ScheduleQuery.prefault({}),
    output: Schedule,
    summary: 'How much is due on each of the next days, in each token.',
    run: ({ service, project, input }) => readSchedule(service, project, input),
  }),
  /**
   * Sums up the last `days` (7, 30 or 90; 30 when absent): the money collected, by token and by plan, and in
   * US dollars where a price was known at the time; the money that failed, was won back by retries, and is
   * owed now; new, returned and lost subscriptions; and the causes. Amounts are text, in the token's smallest
   * unit.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { tokens, lost, failure_causes } = await shop.reports.overview({ days: 7 });
   * for (const { mint, collected, owed } of tokens) console.log(mint, collected.amount, owed.amount);
   * console.log(lost, failure_causes[0]?.reason);
   */
  overview: operation<(query?: OverviewQueryInput) => Promise<Overview>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/overview',
    input: OverviewQuery.prefault({}),
    output: Overview,
    summary:
      'What was collected, failed, won back and lost in the last 7, 30 or 90 days, and what is still owed.',
    run: ({ service, project, input }) => readOverview(service, project, input),
  }),
  /**
   * Reads the figures of a span of up to three years, by day, week or month: what was collected, failed and
   * recovered in each token, network fees, new, returned and lost subscriptions, and how many ran and
   * recurred at the end of each part, with monthly recurring revenue. `total` has the whole span with its
   * causes and rates. Days are in UTC, amounts text in the token's smallest unit.
   *
   * Refuses with `not_found`, `plan_not_found` or `invalid_request`.
   *
   * @example
   * const { data, total } = await shop.reports.figures({ from: '2026-01-01', by: 'month' });
   * for (const { date, active, mrr_usd } of data) console.log(date, active, mrr_usd);
   * console.log(total.churn_rate, total.recovery_rate);
   */
  figures: operation<(query?: FiguresQueryInput) => Promise<FigureReport>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/figures',
    input: FiguresQuery.prefault({}),
    output: FigureReport,
    errors: ['plan_not_found'],
    summary: 'The figures of a span by day, week or month: revenue, failures, recovery, subscribers, churn.',
    run: ({ service, project, input }) => readFigureReport(service, project, input),
  }),
  /**
   * Exports the figures of a span of up to three years, the earliest first, as the text of a file: `csv` (RFC
   * 4180, with a line of headings) or `ndjson` (an object on each line), with a row for each day, week or
   * month, plan and token. They are those of `figures`. The text comes in parts, each read when it is asked
   * for.
   *
   * Refuses with `not_found`, `plan_not_found` or `invalid_request`.
   *
   * @example
   * import { createWriteStream } from 'node:fs';
   * import { pipeline } from 'node:stream/promises';
   *
   * const text = await shop.reports.export({ format: 'csv', from: '2026-01-01', by: 'month' });
   * await pipeline(text, createWriteStream('figures.csv'));
   */
  export: operation<(query: FiguresExportInput) => Promise<ExportText>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/figures/export',
    input: FiguresExport,
    output: ExportText,
    errors: ['plan_not_found'],
    summary: 'The figures of a span as a file of CSV or NDJSON: a row for each day, plan and token.',
    run: ({ service, project, input }) => exportFigures(service, project, input),
  }),
  /**
   * Reads of the subscriptions that began in each of the last months (1 to 36, 12 when absent) how many still
   * run at the end of that month and of each later one. Months are in UTC.
   *
   * Refuses with `not_found`, `plan_not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.reports.cohorts({ months: 6 });
   * for (const { month, size, running } of data) console.log(month, size, running);
   */
  cohorts: operation<(query?: CohortsQueryInput) => Promise<CohortReport>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/cohorts',
    input: CohortsQuery.prefault({}),
    output: CohortReport,
    errors: ['plan_not_found'],
    summary: 'How many of the subscriptions that began in each month run at the end of each later one.',
    run: ({ service, project, input }) => readCohorts(service, project, input),
  }),
  /**
   * Counts the figures of a project anew from its attempts, movements and due charges, some days at a call,
   * and replaces those that differ or cannot be read: after somebody changed the database by hand. Hosts may
   * run. Go on with `next` until it is null.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * let next: string | null | undefined;
   * do {
   *   const part = await shop.reports.rebuild({ from: next ?? undefined });
   *   console.log(part.to, part.changed, part.left);
   *   next = part.next;
   * } while (next !== null);
   */
  rebuild: operation<(body?: RebuildBody) => Promise<Rebuilt>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/figures/rebuild',
    input: RebuildBody.prefault({}),
    output: Rebuilt,
    summary: 'Counts the figures of some days anew, and replaces those that differ.',
    run: ({ service, project, input }) => rebuildFigures(service, project, input),
  }),
};
