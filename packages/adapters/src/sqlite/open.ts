import { Unavailable, type FullStore } from '@subrail/core/ports';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, pendingMigrations, type Database } from '../kysely/index.js';
import { closingAfterAll } from '../guard-operations.js';
import { pause } from '../pause.js';
import { SqliteDialect } from './dialect.js';
import { sqliteTraits } from '../kysely/engines/sqlite.js';
import { codeOf } from '../kysely/engines/error-codes.js';
import { DatabaseFileError } from './faults.js';
import { openFile, openingFault } from './file.js';
import { refuseChangedSchema } from './schema.js';

/** Where the SQLite file is, and how long its store waits for a lock. */
export interface SqliteOptions {
  /**
   * The path of the file. A missing file is created, readable by its owner only. `:memory:` opens a database in memory,
   * which exists until the store is closed.
   */
  readonly path: string;
  /** With `:memory:` only: the bytes of a closed database file, a copy of which the database in memory begins as. Default: none. */
  readonly contents?: Uint8Array;
  /**
   * How long an operation waits for another process that is writing before it throws `Unavailable`. Default: 5 seconds.
   */
  readonly busyTimeoutMs?: number;
  /** Hears that the opening store waits for another process, such as one that migrates the file. Default: nobody. */
  readonly report?: (sentence: string) => void;
}

/** How long an opening store waits for a process that migrates the file, and how long it pauses between its tries. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 100;

/**
 * Opens a store in a SQLite file and migrates the file to the schema of this release. What an operation wrote before it
 * returned survives a crash and a power cut. Several processes may open one file at the same time: one migrates
 * it, and the others wait for that, for two minutes at most. To copy the file of an
 * open store use SQLite's `.backup` or `VACUUM INTO`: what was written within the last second may be only in the `-wal`
 * file next to it.
 *
 * @returns the store, and `close`, which waits for the operations that were called before it and then closes the file;
 * operations that are called later throw `Unavailable`
 * @throws DatabaseFileError when the path cannot be opened and written, its disk is full, or the file is damaged or no SQLite database
 * @throws SchemaDriftError when a newer release migrated the file, or a table or an index is not as the migrations made it; the file
 * is closed and unchanged
 * @throws MovedDatabaseError when its records were moved to another database, or a move did not end
 * @throws Unavailable when another process keeps the file locked
 * @example
 * const { store, close } = await openSqliteStore({ path: 'subrail.db' });
 */
export async function openSqliteStore({
  path,
  contents,
  busyTimeoutMs = 5000,
  report = () => undefined,
}: SqliteOptions): Promise<{ readonly store: FullStore; readonly close: () => Promise<void> }> {
  const file = await openFile(path, busyTimeoutMs, contents);
  const dialect = new SqliteDialect(file, busyTimeoutMs);
  const db = new Kysely<Database>({ dialect });
  const close = () => dialect.close();
  try {
    await migratePatiently(db, report);
    await refuseChangedSchema(db);
  } catch (error) {
    await close();
    throw openingError(error, path);
  }
  // SQLite tells of every commit of others, so that a key is never out of date.
  const freshness = { version: () => dialect.dataVersion(), maxAgeMs: Infinity };
  return closingAfterAll(createKyselyStore(db, sqliteTraits, freshness), close);
}

/** What whoever opens a file is to know of an error: the damage that a migration found, or that the disk is full. */
function openingError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof DatabaseFileError) return error.cause;
  const sentence = error instanceof Unavailable ? openingFault(error.cause, path) : null;
  return sentence === null ? error : new DatabaseFileError(sentence, { cause: error });
}

/** Migrates the file. While another process writes, it tries again: the one that migrates holds the lock until it has ended. */
async function migratePatiently(db: Kysely<Database>, report: (sentence: string) => void): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let tries = 1; ; tries++) {
    try {
      await migrate(db, sqliteTraits);
      return;
    } catch (error) {
      const isBusy = error instanceof Unavailable && codeOf(error.cause).startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() >= end) throw error;
      if (tries === 1)
        report(
          'Another process writes to the database, such as one that migrates it. This one goes on when that has ended, and waits for two minutes at most.',
        );
    }
    await pause(PAUSE_MS);
  }
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
