import type { Database } from '../tables/database.js';

/** What the move of a table must know. */
export interface MovedTable {
  /** The columns of the primary key. Rows are copied in its order. */
  readonly key: readonly string[];
  /** The columns that name rows of the same table, which may come later in that order. */
  readonly refersToItself?: readonly string[];
  /** The columns of amounts, whose sums are reported. */
  readonly amounts?: readonly string[];
  /** The table with whose rows the database itself writes those of this one, which are not copied. */
  readonly follows?: keyof Database;
}

/** Every table, each after those that its foreign keys name. A new table does not compile until it is here. */
export const MOVED_TABLES: Readonly<Record<keyof Database, MovedTable>> = {
  chain_identity: { key: ['id'] },
  projects: { key: ['id'] },
  api_keys: { key: ['id'] },
  plans: { key: ['id'] },
  subscriptions: { key: ['id'], refersToItself: ['previous_id'], amounts: ['paid_amount'] },
  subscription_dates: { key: ['subscription_id'], follows: 'subscriptions' },
  transfers: { key: ['id'], amounts: ['amount'] },
  attempts: { key: ['id'], amounts: ['amount', 'amount_received'] },
  signed_terms: { key: ['subscription_id', 'signature'] },
  events: { key: ['id'] },
  event_positions: { key: ['project_id'] },
  endpoints: { key: ['id'] },
  endpoint_leases: { key: ['endpoint_id'] },
  deliveries: { key: ['id'] },
  delivery_attempts: { key: ['delivery_id', 'number'] },
  management_keys: { key: ['id'] },
  audit_entries: { key: ['id'] },
};
