/**
 * Leaves expired checkouts out of the index by plan and wallet. Anyone can start checkouts for any wallet and let them
 * expire, and their number must not slow down the query.
 */
export const expiredCheckouts: readonly string[] = [
  `drop index subscriptions_plan_wallet`,
  `create index subscriptions_plan_wallet on subscriptions (plan_id, wallet, created_at, id)
    where status <> 'expired'`,
];
