import type { MigrationStep } from './for-engine.js';

/** The mails to customers, how each project sends them, and the addresses that it sends nothing to. */
export const mails: readonly MigrationStep[] = [
  // No foreign key names the subscription or the event, because retention deletes both.
  `create table mails (
    id text primary key,
    project_id text not null references projects (id),
    subscription_id text not null,
    event_id text,
    kind text not null,
    email text not null,
    facts text not null,
    created_at bigint not null,
    state text not null,
    attempts integer not null,
    first_attempt_at bigint,
    next_attempt_at bigint,
    settled_at bigint,
    last_error text
  )`,
  `create index mails_due on mails (next_attempt_at, id) where state = 'pending'`,
  `create index mails_settled on mails (settled_at, id) where state <> 'pending'`,
  `create index mails_of_project on mails (project_id, created_at, id)`,
  `create index mails_of_subscription on mails (subscription_id, created_at, id)`,
  // Finds the few that were not sent without reading the many that were.
  `create index mails_not_sent on mails (project_id, state, created_at, id) where state <> 'sent'`,

  `create table mail_settings (
    project_id text primary key references projects (id),
    off text not null,
    reply_to text,
    language text
  )`,

  `create table refused_addresses (
    project_id text not null references projects (id),
    address text not null,
    reason text not null,
    refused_at bigint not null,
    primary key (project_id, address)
  )`,
  `create index refused_addresses_newest on refused_addresses (project_id, refused_at, address)`,
];
