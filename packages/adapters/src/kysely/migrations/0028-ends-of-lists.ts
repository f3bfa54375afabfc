/**
 * Lets a list of events end where its time begins: each event has the latest date among the events of its project up to its own place, so
 * that what is before it in the list need not be read when that date is too early. An event may be dated earlier than those before it,
 * as one that was held. The events before this migration have none, and are read to the end.
 */
export const endsOfLists: readonly string[] = [
  `alter table events add column latest_at bigint`,
  `alter table event_positions add column latest_at bigint`,
];
