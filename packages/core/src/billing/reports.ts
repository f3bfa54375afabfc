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
}
