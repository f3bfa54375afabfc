import type { MigrationStep } from './for-engine.js';

/** What subscriptions count as and since when, and the sums of each plan and day. */
export const figures: readonly MigrationStep[] = [
  `create table movements (
    id text primary key,
    project_id text not null,
    plan_id text not null,
    subscription_id text not null,
    at bigint not null,
    kind text not null,
    reason text,
    recurring integer not null,
    begun_at bigint not null
  )`,
  `create index movements_of_project on movements (project_id, at, id)`,

  // A commit adds a row, which waits for no other. A pass joins the rows of a plan and day into one.
  `create table figures (
    id text primary key,
    project_id text not null,
    plan_id text not null,
    day bigint not null,
    merged integer not null,
    running integer not null,
    recurring integer not null,
    price text,
    sums text not null,
    cohorts text not null
  )`,
  `create index figures_of_project on figures (project_id, day, plan_id)`,
  `create unique index figures_merged on figures (project_id, plan_id, day) where merged = 1`,
  `create index figures_to_merge on figures (project_id, plan_id, day) where merged = 0`,
];
