import { sql, type Kysely } from 'kysely';
import type { Database, MovableDatabase } from '../kysely/index.js';
import { postgresTraits } from '../postgres-engine.js';
import { refuseOtherSchema } from '../postgres-first-schema.js';
import { connect } from './connect.js';
import { openMigrationPool, type PostgresOptions } from './pool.js';
import { asUnavailable } from './unavailable.js';
import { unfitEncoding, unfitVersion } from './unfit.js';

const FUNCTION = 'subrail_refuse_writes';
const TRIGGER = 'subrail_moved';

/**
 * Opens a PostgreSQL database to move its records to another database, or those of another database to it.
 *
 * @throws TypeError when an option, or a parameter of the address, does not exist or cannot be used
 * @throws PostgresRefusal when the server cannot be reached, or does not let this user into this database
 * @throws SchemaDriftError when the tables of a service are not in the first schema of the search path, where new ones would be created
 * @example
 * import { moveRecords, type MovableDatabase } from '@subrail/adapters/kysely';
 *
 * async function moveTo(url: string, source: MovableDatabase) {
 *   const target = await openMovablePostgres({ url });
 *   try {
 *     await moveRecords(source, target);
 *   } finally {
 *     await target.close();
 *   }
 * }
 */
export async function openMovablePostgres(options: PostgresOptions): Promise<MovableDatabase> {
  const { db, close } = await connect(openMigrationPool(options), options);
  try {
    await refuseOtherSchema(db);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    traits: postgresTraits,
    isInUse: () => isInUse(db),
    unfitFor: async (source) =>
      (await unfitVersion(db)) ??
      (await unfitEncoding(db, 'The database to move to')) ??
      (await unfitLimit(source)),
    lockMove: () => lockMove(options),
    refuseWrites: (table, sentence) => [
      // As of a server that is read-only, which a host takes for unavailable.
      `create or replace function ${FUNCTION}() returns trigger language plpgsql as
        $$ begin raise exception '${sentence}' using errcode = 'read_only_sql_transaction'; end $$`,
      `create trigger ${TRIGGER} before insert or update or delete or truncate on ${table}
        for each statement execute function ${FUNCTION}()`,
    ],
    allowWrites: (table) => [`drop trigger if exists ${TRIGGER} on ${table}`],
    afterCopy: ['vacuum (analyze)'],
    close,
  };
}

/** The largest number that a column of limits holds here. Those of SQLite hold more, which earlier releases took. */
const LARGEST_LIMIT = 2_147_483_647;

async function unfitLimit(source: Kysely<Database>): Promise<string | null> {
  const project = await source
    .selectFrom('projects')
    .select('id')
    .where((where) =>
      where.or([
        where('subscriber_limit', '>', LARGEST_LIMIT),
        where('published_plans_limit', '>', LARGEST_LIMIT),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return project === undefined
    ? null
    : `The project ${project.id} has a limit above ${LARGEST_LIMIT}, which Postgres cannot store. Lower it before the move, or remove it: subrail project update ${project.id} --subscriber-limit none --published-plans-limit none`;
}

/** Which lock a run of a move has, by its number. */
const LOCK = "hashtextextended('subrail move', 0)";

/** Takes the lock of moves on one more connection. The server frees the lock when that connection ends. */
async function lockMove(options: PostgresOptions): Promise<(() => Promise<void>) | null> {
  const pool = openMigrationPool(options);
  try {
    const session = await pool.connectToAny();
    // When the connection breaks, the mark still guards what is written.
    session.on('error', () => undefined);
    const release = async () => {
      // The server frees the lock of a connection that ended some time later only, and the next run may begin at once.
      await session.query(`select pg_advisory_unlock(${LOCK})`).catch(() => undefined);
      session.release(true);
      await pool.end();
    };
    try {
      // It waits as long as the move takes.
      await session.query('set idle_session_timeout = 0');
      const { rows } = await session.query<{ locked: boolean }>(
        `select pg_try_advisory_lock(${LOCK}) as locked`,
      );
      if (rows[0]?.locked === true) return release;
    } catch (error) {
      await release();
      throw error;
    }
    await release();
    return null;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Whether a store is connected to the database, by the name that connections of stores have. */
async function isInUse(db: Kysely<Database>): Promise<boolean> {
  for (let looks = 20; looks > 0; looks--) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'subrail' and pid <> pg_backend_pid() limit 1`.execute(
      db,
    );
    if (rows.length === 0) return false;
    // The server lists a connection for a moment after it was closed.
    await sql`select pg_sleep(0.1)`.execute(db);
  }
  return true;
}
