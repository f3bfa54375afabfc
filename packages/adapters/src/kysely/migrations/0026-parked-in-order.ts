/**
 * Finds the parked subscriptions of a project in the order in which they return, a page at a time, and those of some wallets. The
 * indexes of 0007 are used by the release before only: late subscriptions are found by the index of their status.
 */
export const parkedInOrder: readonly string[] = [
  `create index subscriptions_parked_longest on subscriptions
    (project_id, paused_at, coalesce(confirmed_at, created_at), wallet, id) where paused_at is not null`,
  `create index subscriptions_parked_of_wallet on subscriptions (project_id, wallet) where paused_at is not null`,
];
