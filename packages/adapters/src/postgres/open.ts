import type { FullStore } from '@subrail/core/ports';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, pendingMigrations, type Database } from '../kysely/index.js';
import { closingAfterAll } from '../guard-operations.js';
import { connect } from './connect.js';
import { DamagedDatabaseError } from './damage.js';
import { PostgresDriver } from './driver.js';
import { postgresDialect, postgresTraits } from '../kysely/engines/postgres.js';
import { refuseOtherSchema } from '../kysely/engines/postgres-first-schema.js';
import { refuseChangedSchema } from '../kysely/engines/postgres-schema.js';
import { ignoredParameters } from './address/parameters.js';
import { openKeyChanges } from './key-changes.js';
import { openMigrationPool, openPool, type PostgresOptions } from './pool.js';
import { asRefusal, PostgresRefusal } from './refused.js';
import { unfitEncoding, unfitVersion } from './unfit.js';

/**
 * The longest use of a cached key. The database notifies sooner, but a connection may fail silently, and a
 * revoked key stops everywhere within a second.
 */
const KEY_AGE_MS = 900;

/**
 * Opens a store in a PostgreSQL database, of version 15 or later, and migrates it to the schema of this
 * release. Any number of processes and machines may use one database, also while it is migrated and missing
 * indexes are built. Completed writes survive a crash as far as `synchronous_commit` and the standbys of the
 * server say so; leave it `on`.
 *
 * A change of an API key or its project by another process counts when the database notifies this one, at
 * most 0.9 seconds later; every other write at once.
 *
 * @returns the store and `close`, which waits for earlier operations and then ends the connections; later
 * ones throw `Unavailable`
 * @throws TypeError when an option, or a parameter of the address, does not exist or cannot be used
 * @throws PostgresRefusal when the server is older than version 15 or refuses this user, or the database has
 * another encoding than UTF8
 * @throws Unavailable when no server can be reached, or it lets nobody in for the moment
 * @throws SchemaDriftError when a newer release migrated the database, its tables, indexes or triggers are
 * not as the migrations made them, or its tables are not in the first schema of the search path
 * @throws MovedDatabaseError when a move of records to it did not end
 * @throws Unavailable when the server cannot serve now, or others kept a table locked
 * @example
 * const url = 'postgres://subrail@db.example.com/subrail?sslmode=verify-full';
 * const { store, close } = await openPostgresStore({ url });
 */
export async function openPostgresStore(
  options: PostgresOptions,
): Promise<{ readonly store: FullStore; readonly close: () => Promise<void> }> {
  const { db, close } = await connect(openPool(options), options);
  for (const sentence of ignoredParameters(options.url)) options.report?.(sentence);
  try {
    // Nothing is set without need: behind a proxy a setting may stay for the next user of a connection.
    if ((await pendingOn(db)).length > 0) {
      await migrateWithoutTimeouts(options);
      await refuseChangedSchema(db);
    }
  } catch (error) {
    await close();
    throw openingError(error, options.url);
  }
  const keyChanges = openKeyChanges(options);
  const freshness = { version: () => keyChanges.count(), maxAgeMs: KEY_AGE_MS };
  return closingAfterAll(createKyselyStore(db, postgresTraits, freshness), async () => {
    await close();
    keyChanges.close();
  });
}

/**
 * The migrations that `openPostgresStore` would run now, in order, or else the indexes it would build, as
 * `index NAME`. Nothing is changed.
 *
 * @throws TypeError when an option, or a parameter of the address, does not exist or cannot be used
 * @throws PostgresRefusal and Unavailable as `openPostgresStore` does
 * @throws SchemaDriftError as `openPostgresStore` does
 * @example
 * const names = await pendingPostgresMigrations({ url: 'postgres://subrail@db.example.com/subrail' });
 */
export async function pendingPostgresMigrations(options: PostgresOptions): Promise<readonly string[]> {
  const { db, close } = await connect(openPool({ ...options, poolSize: 1 }), options);
  try {
    return await pendingOn(db);
  } catch (error) {
    throw openingError(error, options.url);
  } finally {
    await close();
  }
}

/**
 * The pending migrations of a database that can have the schema and every record, in the first schema of the
 * search path.
 */
async function pendingOn(db: Kysely<Database>): Promise<readonly string[]> {
  const tooOld = await unfitVersion(db);
  if (tooOld !== null) throw new PostgresRefusal(tooOld);
  const unfit = await unfitEncoding(db, 'The database');
  if (unfit !== null)
    throw new PostgresRefusal(`${unfit}. If it has records, bring them there with pg_dump and pg_restore.`);
  await refuseOtherSchema(db);
  const pending = await pendingMigrations(db, postgresTraits);
  if (pending.length === 0) await refuseChangedSchema(db);
  return pending;
}

async function migrateWithoutTimeouts(options: PostgresOptions): Promise<void> {
  const driver = new PostgresDriver(openMigrationPool(options), false);
  try {
    const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
    await migrate(db, postgresTraits, undefined, options.report);
  } finally {
    await driver.destroy();
  }
}

/** The error for whoever opens a database: a refusal, or the damage that a migration found. */
function openingError(error: unknown, url: string): unknown {
  return error instanceof Error && error.cause instanceof DamagedDatabaseError
    ? error.cause
    : asRefusal(error, url);
}
