/** Management keys, and the audit log. An act outlives its project, so it has no foreign key. */
export const management: readonly string[] = [
  `create table management_keys (
    id text primary key,
    name text not null,
    access text not null,
    hash text not null,
    created_at bigint not null,
    last_used_at bigint,
    revoked_at bigint
  )`,
  `create unique index management_keys_hash on management_keys (hash)`,

  `create table acts (
    id text primary key,
    created_at bigint not null,
    actor text not null,
    operation text not null,
    project_id text,
    subject text,
    input text not null,
    outcome text
  )`,
  `create index acts_created on acts (created_at, id)`,
  `create index acts_project on acts (project_id, created_at, id)`,
  `create index acts_subject on acts (subject, created_at, id) where subject is not null`,
];
