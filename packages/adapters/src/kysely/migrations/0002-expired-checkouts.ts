/**
 * A wallet's subscriptions to a plan are looked up without its expired checkouts: anybody can leave one behind for any
 * wallet, and their number is not to make the look-up slower.
 */
export const expiredCheckouts: readonly string[] = [
  `drop index subscriptions_plan_wallet`,
  `create index subscriptions_plan_wallet on subscriptions (plan_id, wallet, created_at, id)
    where status <> 'expired'`,
];
