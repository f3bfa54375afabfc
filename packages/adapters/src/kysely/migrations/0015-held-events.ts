/** Events whose snapshot could not be built. They have no position until they are released. */
export const heldEvents: readonly string[] = [
  `alter table events add column held_state text`,
  `alter table subscriptions add column has_held_events integer not null default 0`,
  `create index events_held on events (subscription_id, sequence) where held_state is not null`,
];
