import type { Overview, OverviewQueryInput } from '../contract/overview.js';
import type { Schedule, ScheduleQueryInput, UpcomingPage, UpcomingQueryInput } from '../contract/report.js';

/** Reports of a project: what comes next, and how it went. */
export interface ReportFunctions {
  /**
   * Lists upcoming charges, retries and ends, soonest first, `limit` (1 to 100, 20 when absent) at a time. Amounts are text, in
   * the token's smallest unit. A subscription has its next charge or retry, and its end when one is known.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Refuses with `not_found` or
   * `invalid_request`.
   *
   * @example
   * const { data } = await shop.reports.upcoming({ limit: 100 });
   * for (const { due_at, kind, plan, external_id, amount } of data) console.log(due_at, kind, plan, external_id, amount);
   */
  upcoming(query?: UpcomingQueryInput): Promise<UpcomingPage>;
  /**
   * Sums up what is due on each day (UTC) and in each token, for `days` (1 to 90, 30 when absent) from today on. Each
   * subscription counts with every charge that falls on these days before its end, as if every charge pays.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.reports.schedule({ days: 7 });
   * for (const { date, charges, retries } of data) console.log(date, charges.count, charges.amount, retries.amount);
   */
  schedule(query?: ScheduleQueryInput): Promise<Schedule>;
  /**
   * Sums up the last `days` (7, 30 or 90; 30 when absent): what was collected, by token and by plan, and in US dollars where a
   * price was known at the time; what failed, what was won back by retries, what is owed now; the subscriptions that are new,
   * came back or were lost; and the causes. Amounts are text, in the token's smallest unit.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { tokens, lost, failure_causes } = await shop.reports.overview({ days: 7 });
   * for (const { mint, collected, owed } of tokens) console.log(mint, collected.amount, collected.amount_usd, owed.amount);
   * console.log(lost, failure_causes[0]?.reason);
   */
  overview(query?: OverviewQueryInput): Promise<Overview>;
}
