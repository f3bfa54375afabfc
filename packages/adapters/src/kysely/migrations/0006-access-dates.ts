/**
 * Keeps the dates at which access ends while late or blocked. A subscription that is late or blocked during the migration
 * keeps the access of its paid period only, because the rows before it do not hold the dates of its grace or its block.
 */
export const accessDates: readonly string[] = [
  `alter table subscriptions add column blocked_access_until bigint`,
  `update subscriptions set late = replace(late, '"rejectedAt"', '"graceUntil"') where late is not null`,
];
