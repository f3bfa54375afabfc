import type { Kysely } from 'kysely';
import { postgresTraits } from '../kysely/engines/postgres.js';
import { refuseOtherSchema } from '../kysely/engines/postgres-first-schema.js';
import type { Database } from '../kysely/index.js';
import type { MoveTarget } from '../kysely/move/ends.js';
import { connect } from './connect.js';
import { openMigrationPool, type PostgresOptions } from './pool.js';
import { asUnavailable } from './unavailable.js';
import { unfitEncoding, unfitVersion } from './unfit.js';

/**
 * Opens a PostgreSQL database as the target of a move.
 *
 * @throws TypeError when an option, or a parameter of the address, does not exist or cannot be used
 * @throws PostgresRefusal when the server does not let this user into this database
 * @throws Unavailable when no server can be reached
 * @throws SchemaDriftError when tables of a service are not in the first schema of the search path
 * @example
 * import { moveRecords, type MoveSource } from '@subrail/adapters/kysely';
 *
 * async function moveTo(url: string, source: MoveSource) {
 *   const target = await openMovablePostgres({ url });
 *   try {
 *     await moveRecords(source, target);
 *   } finally {
 *     await target.close();
 *   }
 * }
 */
export async function openMovablePostgres(options: PostgresOptions): Promise<MoveTarget> {
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
    unfitFor: async (source) =>
      (await unfitVersion(db)) ??
      (await unfitEncoding(db, 'The database to move to')) ??
      (await unfitLimit(source)),
    lockMove: () => lockMove(options),
    close,
  };
}

/** The largest limit here. Earlier releases stored larger ones on SQLite. */
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

const LOCK = "hashtextextended('subrail move', 0)";

/** Locks moves on a connection of its own, whose end frees the lock. */
async function lockMove(options: PostgresOptions): Promise<(() => Promise<void>) | null> {
  const pool = openMigrationPool(options);
  try {
    const session = await pool.connectToAny();
    // The mark guards the writes when this connection breaks.
    session.on('error', () => undefined);
    const release = async () => {
      // Explicit, because the server notices an ended connection later, and the next run may begin at once.
      await session.query(`select pg_advisory_unlock(${LOCK})`).catch(() => undefined);
      session.release(true);
      await pool.end();
    };
    try {
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
