/** Finds what is due of one project, without reading what is due of another. */
export const sharedClaims: readonly string[] = [
  `create index subscriptions_project_wake on subscriptions (project_id, wake_at, id) where wake_at is not null`,
];
