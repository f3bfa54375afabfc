/**
 * Finds the subscriptions of a whole project, newest first, in each way that an operator asks: all of them, those at an address,
 * of a status, of a plan, of a plan and a status, and the blocked ones. The late ones are those of a status that are not parked.
 */
export const searches: readonly string[] = [
  `create index subscriptions_newest on subscriptions (project_id, created_at, id)`,
  `create index subscriptions_address on subscriptions (project_id, address, created_at, id)`,
  `create index subscriptions_status on subscriptions (project_id, status, created_at, id)`,
  `create index subscriptions_newest_of_plan on subscriptions (plan_id, created_at, id)`,
  `create index subscriptions_status_of_plan on subscriptions (plan_id, status, created_at, id)`,
  `create index subscriptions_newest_blocked on subscriptions (project_id, created_at, id)
    where blocked_since is not null`,
];
