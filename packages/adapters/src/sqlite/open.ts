import type { Store } from '@subrail/core/ports';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, pendingMigrations, type Database } from '../kysely/index.js';
import { SqliteDialect, sqliteTraits } from './dialect.js';
import { DatabaseFileError } from './faults.js';
import { openFile } from './file.js';
import { refuseChangedSchema } from './schema.js';

/** Where the SQLite file is, and how long its store waits for a lock. */
export interface SqliteOptions {
  /**
   * The path of the file. A missing file is created, readable by its owner only. `:memory:` opens a database in memory,
   * which exists until the store is closed.
   */
  readonly path: string;
  /**
   * How long an operation waits for another process that is writing before it throws `Unavailable`. Default: 5 seconds.
   */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a store in a SQLite file and migrates the file to the schema of this release. What an operation wrote before it
 * returned survives a crash and a power cut. Several processes may open one file at the same time. To copy the file of an
 * open store use SQLite's `.backup` or `VACUUM INTO`: what was written within the last second may be only in the `-wal`
 * file next to it.
 *
 * @returns the store, and `close`, which waits for the operations that were called before it and then closes the file;
 * operations that are called later throw `Unavailable`
 * @throws DatabaseFileError when the path cannot be opened and written, or the file is damaged or no SQLite database
 * @throws SchemaDriftError when a newer release migrated the file, or a table or an index is not as the migrations made it; the file
 * is closed and unchanged
 * @throws MovedDatabaseError when its records were moved to another database, or a move did not end
 * @throws Unavailable when the disk is full, or another process keeps the file locked
 * @example
 * const { store, close } = await openSqliteStore({ path: 'subrail.db' });
 */
export async function openSqliteStore({
  path,
  busyTimeoutMs = 5000,
}: SqliteOptions): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  const file = await openFile(path, busyTimeoutMs);
  const dialect = new SqliteDialect(file, busyTimeoutMs);
  const db = new Kysely<Database>({ dialect });
  const close = () => dialect.close();
  try {
    await migrate(db, sqliteTraits);
    await refuseChangedSchema(db);
  } catch (error) {
    await close();
    throw error instanceof Error && error.cause instanceof DatabaseFileError ? error.cause : error;
  }
  // SQLite tells of every commit of others, so that a key is never out of date.
  const freshness = { version: () => dialect.dataVersion(), maxAgeMs: Infinity };
  return { store: createKyselyStore(db, sqliteTraits, freshness), close };
}

/**
 * The names of the migrations that `openSqliteStore` would run on a file now, in their order. A file that exists stays as it is; a
 * missing one is created empty.
 *
 * @throws DatabaseFileError when the path cannot be opened, or the file is no SQLite database
 * @throws SchemaDriftError when a newer release migrated the file, or nothing is to be run and the schema is not as the migrations made it
 * @example
 * const names = await pendingSqliteMigrations({ path: 'subrail.db' });
 */
export async function pendingSqliteMigrations({
  path,
  busyTimeoutMs = 5000,
}: SqliteOptions): Promise<readonly string[]> {
  const dialect = new SqliteDialect(await openFile(path, busyTimeoutMs), busyTimeoutMs);
  try {
    const db = new Kysely<Database>({ dialect });
    const pending = await pendingMigrations(db, sqliteTraits);
    if (pending.length === 0) await refuseChangedSchema(db);
    return pending;
  } finally {
    await dialect.close();
  }
}
