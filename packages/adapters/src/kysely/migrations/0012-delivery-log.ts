/**
 * One sender at a time serves an endpoint, the attempts of deliveries are kept, endpoints can be deleted and tested, and a
 * delivery can be sent again. A test delivery belongs to no event, so the table of deliveries is built anew: a column
 * cannot lose its `not null` on SQLite.
 */
export const deliveryLog: readonly string[] = [
  `alter table endpoints add column deleted_at bigint`,
  `drop index endpoints_url`,
  `create unique index endpoints_url on endpoints (project_id, url) where deleted_at is null`,

  `create table endpoint_leases (
    endpoint_id text primary key references endpoints (id),
    until bigint not null
  )`,

  `create table deliveries_and_tests (
    id text primary key,
    project_id text not null references projects (id),
    event_id text references events (id),
    endpoint_id text not null references endpoints (id),
    type text not null,
    state text not null,
    attempts integer not null,
    attempts_before integer not null,
    next_attempt_at bigint,
    last_status integer,
    last_excerpt text,
    created_at bigint not null,
    settled_at bigint
  )`,
  `insert into deliveries_and_tests
    select deliveries.id, deliveries.project_id, deliveries.event_id, deliveries.endpoint_id, events.type, deliveries.state,
      deliveries.attempts, 0, deliveries.next_attempt_at, deliveries.last_status, deliveries.last_excerpt,
      deliveries.created_at, deliveries.settled_at
    from deliveries join events on events.id = deliveries.event_id`,
  `drop table deliveries`,
  `alter table deliveries_and_tests rename to deliveries`,
  // An event has one delivery for each endpoint (deliveries#one-delivery-per-endpoint).
  `create unique index deliveries_event_endpoint on deliveries (event_id, endpoint_id)`,
  `create index deliveries_due on deliveries (next_attempt_at) where state = 'pending'`,
  // Finds the endpoints that have pending deliveries, and the deliveries of one endpoint that are due soonest.
  `create index deliveries_due_by_endpoint on deliveries (endpoint_id, next_attempt_at, id)
    where state = 'pending'`,
  `create index deliveries_of_project on deliveries (project_id, created_at, id)`,
  `create index deliveries_of_endpoint on deliveries (endpoint_id, created_at, id)`,
  // Finds the few that are pending or failed without reading the many that were delivered.
  `create index deliveries_not_delivered on deliveries (project_id, state, created_at, id)
    where state <> 'delivered'`,
  `create index deliveries_tests on deliveries (endpoint_id, created_at, id) where event_id is null`,
  // Finds the few tests of all endpoints that are being sent or were never finished.
  `create index deliveries_unfinished_tests on deliveries (created_at) where event_id is null and state = 'pending'`,

  `create table delivery_attempts (
    delivery_id text not null references deliveries (id) on delete cascade,
    number integer not null,
    started_at bigint not null,
    duration_ms bigint not null,
    status integer,
    excerpt text not null,
    next_attempt_at bigint,
    primary key (delivery_id, number)
  )`,
];
