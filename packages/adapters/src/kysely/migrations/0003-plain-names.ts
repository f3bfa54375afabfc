/** Renames columns to the plainer names of their fields. Values and indexes stay the same. */
export const plainNames: readonly string[] = [
  `alter table subscriptions rename column access_announced to last_announced_access`,
  `alter table transfers rename column absent_looks to not_found_count`,
  `alter table transfers rename column wait_recorded to long_wait_recorded`,
];
