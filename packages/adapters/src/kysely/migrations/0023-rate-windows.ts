/** The calls of each caller that hosts counted together, in its window of one minute. */
export const rateWindows: readonly string[] = [
  `create table rate_windows (
    caller text primary key,
    started_at bigint not null,
    calls integer not null
  )`,
  `create index rate_windows_started on rate_windows (started_at)`,
];
