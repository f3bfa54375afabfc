import type { MigrationStep } from './for-engine.js';

/** The looks of projects, the links, the sessions, and what each session built something for. */
export const sessions: readonly MigrationStep[] = [
  // Apart from the projects, because every call reads its project, and few need a picture.
  `create table project_looks (
    project_id text primary key references projects (id),
    accent text,
    logo text
  )`,

  `create table links (
    id text primary key,
    project_id text not null references projects (id),
    plan_id text not null references plans (id),
    replaces_plan_id text references plans (id),
    ask_email integer not null,
    success_url text,
    created_at bigint not null,
    ended_at bigint
  )`,
  `create index links_project on links (project_id, created_at, id)`,

  // No foreign key names a subscription, because retention deletes checkouts that expired. None names the
  // link, which is deleted with all sessions of its project.
  `create table sessions (
    id text primary key,
    kind text not null,
    project_id text not null references projects (id),
    secret_hash text not null,
    external_id text,
    email text,
    subscription_id text,
    plan_ids text not null,
    ask_email integer not null,
    success_url text,
    back_url text,
    locale text,
    link_id text,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create unique index sessions_secret on sessions (secret_hash)`,
  `create index sessions_project on sessions (project_id)`,
  `create index sessions_expires on sessions (expires_at, id)`,
  `create index sessions_visits on sessions (expires_at, id) where link_id is not null`,
  // The subscriptions for which a session built something.
  `create table session_subscriptions (
    session_id text not null references sessions (id) on delete cascade,
    subscription_id text not null,
    reserved_at bigint not null,
    submitted_at bigint,
    primary key (session_id, subscription_id)
  )`,
  `create index session_subscriptions_newest on session_subscriptions (session_id, reserved_at, subscription_id)`,
];
