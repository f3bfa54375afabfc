import type { MigrationStep } from './for-engine.js';

/** What operators gave back by hand, a transaction once for each charge, and who issues receipts. */
export const receipts: readonly MigrationStep[] = [
  `create table refunds (
    signature text not null,
    project_id text not null,
    attempt_id text not null references attempts (id),
    amount text not null,
    landed_at bigint not null,
    recorded_at bigint not null,
    primary key (signature, attempt_id)
  )`,
  `create index refunds_of_attempt on refunds (attempt_id, recorded_at, signature)`,

  `create table sellers (
    project_id text primary key references projects (id),
    legal_name text,
    address text,
    tax_id text,
    receipt_prefix text
  )`,
];
