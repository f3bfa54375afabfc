/**
 * Finds what comes next in a project: by the next try of its subscriptions, and by the ends of their plans. And what happened in
 * it: its attempts by their dates, and the subscriptions that run, that began and that were lost. When one was lost before the
 * migration is not known, so that it has the date of its last event.
 */
export const reports: readonly string[] = [
  `create index subscriptions_next_try on subscriptions (project_id, next_try_at, id)
    where next_try_at is not null and status in ('active', 'unpaid', 'cancelled')`,
  `create index plans_ends on plans (project_id, ends_at, id) where ends_at is not null`,
  `create index subscriptions_ending_with_plan on subscriptions (plan_id, id) where status in ('active', 'unpaid')`,

  `alter table attempts add column project_id text`,
  `alter table attempts add column plan_id text`,
  `update attempts set
    project_id = (select project_id from subscriptions where subscriptions.id = attempts.subscription_id),
    plan_id = (select plan_id from subscriptions where subscriptions.id = attempts.subscription_id)`,
  `create index attempts_of_project on attempts (project_id, attempted_at, id)`,

  `create index subscriptions_running_by_plan on subscriptions (project_id, plan_id, status, paused_at, blocked_since)
    where status in ('active', 'unpaid', 'cancelled')`,
  `create index subscriptions_begun on subscriptions (project_id, confirmed_at, plan_id, previous_id)
    where confirmed_at is not null`,

  `alter table subscriptions add column lost_at bigint`,
  `alter table subscriptions add column lost_reason text`,
  `update subscriptions set lost_at = coalesce(last_event_at, created_at), lost_reason = coalesce(stop_reason, end_reason)
    where status in ('stopped', 'ended')`,
  `create index subscriptions_lost on subscriptions (project_id, lost_at, status, plan_id, lost_reason)
    where lost_at is not null`,
];
