/**
 * Finds the subscriptions whose access ended by its date. One that is stored already gets the date with its next change; until
 * then the worker finds the end of its access when the subscription wakes.
 */
export const accessEnds: readonly string[] = [
  `alter table subscriptions add column access_ends_at bigint`,
  `create index subscriptions_access_ends on subscriptions (access_ends_at, id) where access_ends_at is not null`,
];
