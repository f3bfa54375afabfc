/**
 * Keeps when plans and subscriptions are next read from the chain. What runs during the migration is read once as soon as a
 * worker runs, and then on its own schedule.
 */
export const chainChecks: readonly string[] = [
  `alter table plans add column pullers text`,
  `alter table plans add column gone_since bigint`,
  `alter table plans add column next_check_at bigint`,
  `update plans set next_check_at = 0 where status in ('active', 'sunset') and created_on_chain_at is not null`,
  `create index plans_next_check on plans (next_check_at) where next_check_at is not null`,
  `alter table subscriptions add column next_check_at bigint`,
  `update subscriptions set next_check_at = 0, wake_at = 0
    where status in ('active', 'unpaid', 'cancelled') or (status = 'ended' and end_reason = 'closed_elsewhere')`,
  `create index subscriptions_running_of_plan on subscriptions (plan_id, wake_at)
    where status in ('active', 'unpaid', 'cancelled')`,
];
