/** Finds the parked and the late subscriptions of a project, which are few, without reading the others. */
export const parkedAndLate: readonly string[] = [
  `create index subscriptions_parked on subscriptions (project_id) where paused_at is not null`,
  `create index subscriptions_late on subscriptions (project_id) where status = 'unpaid'`,
];
