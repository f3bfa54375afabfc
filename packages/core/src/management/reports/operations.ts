import { operation } from '../../operations/operation.js';
import { readOverview } from './overview.js';
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
};
