import type { Database } from '../tables/database.js';

export interface MovedTable {
  /** The columns of the primary key, the order of the copy. */
  readonly key: readonly string[];
  /** Columns that name rows of the same table, which may come later. */
  readonly refersToItself?: readonly string[];
  /** Columns whose sums are reported. */
  readonly amounts?: readonly string[];
  /** The table from which triggers write this one, which is not copied. */
  readonly follows?: keyof Database;
}

/** Every table after those that its foreign keys name. A new table does not compile until it is here. */
export const MOVED_TABLES: Readonly<Record<keyof Database, MovedTable>> = {
  chain_identity: { key: ['id'] },
  projects: { key: ['id'] },
  api_keys: { key: ['id'] },
  plans: { key: ['id'] },
  subscriptions: { key: ['id'], refersToItself: ['previous_id', 'replaced_by_id'], amounts: ['paid_amount'] },
  subscription_dates: { key: ['subscription_id'], follows: 'subscriptions' },
  transfers: { key: ['id'], amounts: ['amount'] },
  attempts: { key: ['id'], amounts: ['amount', 'amount_received'] },
  sellers: { key: ['project_id'] },
  refunds: { key: ['signature', 'attempt_id'], amounts: ['amount'] },
  movements: { key: ['id'] },
  figures: { key: ['id'] },
  project_looks: { key: ['project_id'] },
  links: { key: ['id'] },
  sessions: { key: ['id'] },
  session_subscriptions: { key: ['session_id', 'subscription_id'] },
  mails: { key: ['id'] },
  mail_settings: { key: ['project_id'] },
  refused_addresses: { key: ['project_id', 'address'] },
  signed_terms: { key: ['subscription_id', 'signature'] },
  events: { key: ['id'] },
  project_counters: { key: ['project_id'] },
  endpoints: { key: ['id'] },
  endpoint_leases: { key: ['endpoint_id'] },
  deliveries: { key: ['id'] },
  delivery_attempts: { key: ['delivery_id', 'number'] },
  management_keys: { key: ['id'] },
  audit_entries: { key: ['id'] },
};
