import type { RawReader, StoredKind } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';

const TABLES: Record<StoredKind, string> = {
  projects: 'projects',
  apiKeys: 'api_keys',
  plans: 'plans',
  subscriptions: 'subscriptions',
  transfers: 'transfers',
  attempts: 'attempts',
  signedTerms: 'signed_terms',
  sessions: 'sessions',
  sessionSubscriptions: 'session_subscriptions',
  links: 'links',
  events: 'events',
  endpoints: 'endpoints',
  deliveries: 'deliveries',
  deliveryAttempts: 'delivery_attempts',
};

/** Reads a database file through a separate connection, without the adapter. */
export function rawSqlite(path: string): RawReader & { close(): void } {
  const file = new SqliteFile(path, { readonly: true });
  // `never`, because each query names its columns as the kit does, and the kit compares every value.
  const one = (sql: string, id: string) => (file.prepare(sql).get(id) ?? null) as never;
  return {
    count: async (kind) =>
      file.prepare<[], { count: number }>(`select count(*) as count from ${TABLES[kind]}`).get()?.count ?? -1,
    plan: async (id) => one('select version, slug, amount from plans where id = ?', id),
    subscription: async (id) =>
      one(
        `select version, status, paid_amount as "paidAmount", created_at as "createdAt", wake_at as "wakeAt"
         from subscriptions where id = ?`,
        id,
      ),
    transfer: async (id) =>
      one('select state, amount, period_start as "periodStart" from transfers where id = ?', id),
    event: async (id) => one('select sequence, body from events where id = ?', id),
    delivery: async (id) =>
      one('select state, attempts, next_attempt_at as "nextAttemptAt" from deliveries where id = ?', id),
    close: () => file.close(),
  };
}
