/**
 * Lets a list of events end where its time begins: each event has a date that no event of its project up to its own place is later than,
 * so that what is below it in the list need not be read when that date is too early. An event may be dated earlier than those
 * below it, as one that was held. The events before this migration have no such date, and are read to the end.
 */
export const endsOfLists: readonly string[] = [
  `alter table events add column latest_at bigint`,
  `alter table event_positions add column latest_at bigint`,
];
