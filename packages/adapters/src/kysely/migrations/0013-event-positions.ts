/**
 * Gives each event its position among those of its project, in the order of writing. The order in which the events before
 * the migration were written is not known, so they keep the order of their dates. A project's counter is a row of its own,
 * because a commit locks it.
 */
export const eventPositions: readonly string[] = [
  `alter table events add column position bigint`,
  `update events set position = placed.place
    from (select id, row_number() over (partition by project_id order by created_at, sequence, id) as place from events) as placed
    where placed.id = events.id`,
  `create table event_positions (
    project_id text primary key references projects (id),
    last bigint not null
  )`,
  `insert into event_positions (project_id, last)
    select project_id, max(position) from events group by project_id`,
  `drop index events_project`,
  `drop index events_type`,
  `drop index events_subscription`,
  `create unique index events_position on events (project_id, position)`,
  `create index events_type on events (project_id, type, position)`,
  `create index events_subscription on events (subscription_id, position)`,
];
