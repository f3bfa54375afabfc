import { Unavailable } from '@subrail/core/ports';
import { sql, type Kysely } from 'kysely';
import type { SchemaIndex } from '../migrations/indexes.js';
import type { OnlineMigration } from '../migrations/online.js';
import { pause } from '../../pause.js';
import { sqlState } from './error-codes.js';

/**
 * Limits of the transaction of a migration: the wait for a lock while others queue, a statement, which may
 * fill a table, and idling, after which the server rolls it back.
 */
const LIMITS = { lock_timeout: '2s', statement_timeout: '1h', idle_in_transaction_session_timeout: '10s' };

/**
 * Errors that leave an invalid index: a deadlock (40P01), the second try of the driver that finds it (42P07),
 * equal rows (23505); or none: a missing table (42P01) or column (42703). A second round repairs the first
 * two, the schema check reports the rest.
 */
const BROKEN_BUILD = ['40P01', '42P07', '23505', '42P01', '42703'];
const MOST_ROUNDS = 2;
const PAUSE_MS = 100;

export const postgresOnline: OnlineMigration = {
  async limitWaits(transaction) {
    for (const [name, limit] of Object.entries(LIMITS))
      await sql.raw(`set local ${name} = '${limit}'`).execute(transaction);
  },
  // A lock that timed out, or a deadlock with callers that wait for the migration.
  gaveWay: (error) =>
    ['55P03', '40P01'].includes(sqlState(error instanceof Unavailable ? error.cause : error) ?? ''),
  missingIndexes: async (db, indexes) => (await missingOf(indexes, db)).map(({ name }) => name),
  async buildIndexes(db, indexes, report) {
    if ((await missingOf(indexes, db)).length === 0) return;
    await db.connection().execute(async (connection) => {
      await lockBuilds(connection, report);
      try {
        for (let rounds = 1; ; rounds++) {
          await dropRemains(indexes, connection);
          const missing = await missingOf(indexes, connection);
          if (missing.length === 0 || rounds > MOST_ROUNDS) return;
          for (const index of missing) await build(index, connection, report);
        }
      } finally {
        // A broken connection is unlocked by its end, and the caller wants to know what broke it.
        await sql`select pg_advisory_unlock(${BUILDS})`.execute(connection).catch(() => undefined);
      }
    });
  },
};

/** The lock of the one connection that builds. */
const BUILDS = sql`hashtextextended('subrail indexes', 0)`;

/** Polls: a build waits for all earlier snapshots, so it would wait for a statement that waits for it. */
async function lockBuilds<Tables>(
  connection: Kysely<Tables>,
  report: (sentence: string) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{
      locked: boolean;
    }>`select pg_try_advisory_lock(${BUILDS}) as locked`.execute(connection);
    if (rows[0]?.locked === true) return;
    if (tries === 1)
      report('Another process builds indexes of the database. This one goes on when they are built.');
    await pause(PAUSE_MS);
  }
}

interface MissingIndex extends SchemaIndex {
  /** Whether an unfinished build left an index behind. */
  readonly wasBegun: boolean;
}

async function missingOf<Tables>(
  indexes: readonly SchemaIndex[],
  db: Kysely<Tables>,
): Promise<readonly MissingIndex[]> {
  const { rows } = await sql<{ name: string; isValid: boolean }>`
    select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where pg_table_is_visible(indexrelid)`.execute(db);
  const valid = new Map(rows.map(({ name, isValid }) => [name, isValid]));
  return indexes
    .filter(({ name }) => valid.get(name) !== true)
    .map((index) => ({ ...index, wasBegun: valid.has(index.name) }));
}

async function build<Tables>(
  { name, table, create, wasBegun }: MissingIndex,
  connection: Kysely<Tables>,
  report: (sentence: string) => void,
): Promise<void> {
  report(
    `The index ${name} of ${table} is built. That takes long on a large table. Other hosts go on; this one does when it is built.`,
  );
  // An unfinished index may guard already, so it stays until its successor is there.
  const statement = wasBegun
    ? `reindex index concurrently ${name}`
    : create.replace('index if not exists', 'index concurrently');
  await mayBreak(statement, connection);
}

/**
 * Drops what a failed `reindex index concurrently` leaves: the new index (`_ccnew`), or the replaced one
 * (`_ccold`). Every write would go on filling it.
 */
async function dropRemains<Tables>(
  indexes: readonly SchemaIndex[],
  connection: Kysely<Tables>,
): Promise<void> {
  const names = sql.join(indexes.map(({ name }) => name));
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and pg_table_is_visible(indexrelid)
      and relname ~ '_cc(new|old)[0-9]*$' and regexp_replace(relname, '_cc(new|old)[0-9]*$', '') in (${names})`.execute(
    connection,
  );
  for (const { name } of rows) await mayBreak(`drop index concurrently if exists ${name}`, connection);
}

async function mayBreak<Tables>(statement: string, connection: Kysely<Tables>): Promise<void> {
  try {
    await sql.raw(statement).execute(connection);
  } catch (error) {
    if (!BROKEN_BUILD.includes(sqlState(error) ?? '')) throw error;
  }
}
