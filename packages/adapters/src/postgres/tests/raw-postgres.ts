import type { RawReader, StoredKind } from '@subrail/core/testing';

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

/** Runs a statement and returns its rows, with 64-bit integers as numbers. */
export type Query = (sql: string, parameters: readonly string[]) => Promise<readonly object[]>;

/** Reads a PostgreSQL database without the adapter. */
export function rawPostgres(query: Query): RawReader {
  // `never`, because each query names its columns as the kit does, and the kit compares every value.
  const one = async (sql: string, id: string) => ((await query(sql, [id]))[0] ?? null) as never;
  return {
    async count(kind) {
      const [row] = await query(`select count(*)::int as count from ${TABLES[kind]}`, []);
      return (row as { count: number }).count;
    },
    plan: (id) => one('select version, slug, amount from plans where id = $1', id),
    subscription: (id) =>
      one(
        `select version, status, paid_amount as "paidAmount", created_at as "createdAt", wake_at as "wakeAt"
         from subscriptions where id = $1`,
        id,
      ),
    transfer: (id) =>
      one('select state, amount, period_start as "periodStart" from transfers where id = $1', id),
    event: (id) => one('select sequence, body from events where id = $1', id),
    delivery: (id) =>
      one('select state, attempts, next_attempt_at as "nextAttemptAt" from deliveries where id = $1', id),
  };
}
