/** Finds what comes next in a project: by the next try of its subscriptions, and by the ends of their plans. */
export const reports: readonly string[] = [
  `create index subscriptions_next_try on subscriptions (project_id, next_try_at, id)
    where next_try_at is not null and status in ('active', 'unpaid', 'cancelled')`,
  `create index plans_ends on plans (project_id, ends_at, id) where ends_at is not null`,
  `create index subscriptions_ending_with_plan on subscriptions (plan_id, id) where status in ('active', 'unpaid')`,
];
