import { MIGRATIONS } from '../migrations/index.js';

/** The migrations of this release, and one of a later: a table, columns of others, and indexes. */
export const WITH_NEXT = {
  ...MIGRATIONS,
  '9999_next': [
    `create table notes (
      id text primary key,
      plan_id text not null references plans (id),
      written_at bigint not null
    )`,
    'create index notes_of_plan on notes (plan_id, written_at)',
    'alter table plans add column note text',
    'alter table plans add column notes_count integer not null default 0',
    'create index plans_note on plans (project_id, note) where note is not null',
    'drop index audit_entries_subject',
    'create index audit_entries_subject on audit_entries (subject) where subject is not null',
  ],
};
