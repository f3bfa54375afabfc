import type { MigrationStep } from './for-engine.js';

/** The dates that claims and charges move. */
const DATES = ['wake_at', 'next_try_at', 'access_ends_at'];

const COLUMNS = ['subscription_id', 'project_id', 'plan_id', 'status', ...DATES].join(', ');

const put = `insert into subscription_dates (${COLUMNS})
  values (${['id', 'project_id', 'plan_id', 'status', ...DATES].map((column) => `new.${column}`).join(', ')})
  on conflict (subscription_id) do update set
    ${['status', ...DATES].map((column) => `${column} = excluded.${column}`).join(', ')}`;
const remove = 'delete from subscription_dates where subscription_id = old.id';

/** Makes the dates anew, for rows that were written while a trigger was missing. */
export const refillDates: readonly string[] = [
  'delete from subscription_dates',
  `insert into subscription_dates (${COLUMNS})
  select id, project_id, plan_id, status, ${DATES.join(', ')} from subscriptions`,
];

const isInserted = 'after insert on subscriptions';
const isUpdated = `after update of status, ${DATES.join(', ')} on subscriptions`;
const isDeleted = 'after delete on subscriptions';
const changes = (distinct: string) =>
  `when (${['status', ...DATES].map((column) => `old.${column} ${distinct} new.${column}`).join(' or ')})`;

/**
 * Copies the dates of each subscription into a narrow, indexed table. So claims and charges change no indexed
 * column of `subscriptions`, and PostgreSQL writes no index entry while the page has room. Triggers copy what
 * operators write, too.
 */
export const subscriptionDates: readonly MigrationStep[] = [
  `create table subscription_dates (
    subscription_id text primary key,
    project_id text not null,
    plan_id text not null,
    status text not null,
    wake_at bigint,
    next_try_at bigint,
    access_ends_at bigint
  )`,
  {
    sqlite: [
      `create trigger subscription_dates_inserted ${isInserted} begin ${put}; end`,
      `create trigger subscription_dates_updated ${isUpdated} ${changes('is not')} begin ${put}; end`,
      `create trigger subscription_dates_deleted ${isDeleted} begin ${remove}; end`,
    ],
    postgres: [
      `create or replace function keep_subscription_dates() returns trigger language plpgsql as $$ begin ${put}; return null; end $$`,
      `create or replace function remove_subscription_dates() returns trigger language plpgsql as $$ begin ${remove}; return null; end $$`,
      `create trigger subscription_dates_inserted ${isInserted} for each row execute function keep_subscription_dates()`,
      `create trigger subscription_dates_updated ${isUpdated} for each row ${changes('is distinct from')}
        execute function keep_subscription_dates()`,
      `create trigger subscription_dates_deleted ${isDeleted} for each row execute function remove_subscription_dates()`,
      'alter table subscriptions set (fillfactor = 90)',
    ],
  },
  'create index subscription_dates_wake on subscription_dates (wake_at, subscription_id) where wake_at is not null',
  `create index subscription_dates_project_wake on subscription_dates (project_id, wake_at, subscription_id)
    where wake_at is not null`,
  `create index subscription_dates_running_of_plan on subscription_dates (plan_id, wake_at)
    where status in ('active', 'unpaid', 'cancelled')`,
  `create index subscription_dates_next_try on subscription_dates (project_id, next_try_at, subscription_id)
    where next_try_at is not null and status in ('active', 'unpaid', 'cancelled')`,
  `create index subscription_dates_access_ends on subscription_dates (access_ends_at, subscription_id)
    where access_ends_at is not null`,
];
