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

/** A SQLite file, and how its store waits for locks. */
export interface SqliteOptions {
  /**
   * The path of the file. A missing file is created, readable by its owner only. `:memory:` is a database in
   * memory, which ends when the store is closed.
   */
  readonly path: string;
  /** With `:memory:` only: the bytes of a closed database file to begin with. Default: none. */
  readonly contents?: Uint8Array;
  /** The wait for another process that writes, before `Unavailable` is thrown. Default: 5,000. */
  readonly busyTimeoutMs?: number;
  /** Hears that opening waits for another process, such as one that migrates. Default: nobody. */
  readonly report?: (sentence: string) => void;
}

/** The wait for a process that migrates the file. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 100;

/**
 * Opens a store in a SQLite file and migrates it to the schema of this release. Completed writes survive a
 * crash and a power cut. Several processes may open one file: one migrates, and the others wait, for two
 * minutes at most. Copy the file of an open store with `.backup` or `VACUUM INTO`: the writes of the last
 * second may be only in the `-wal` file.
 *
 * @returns the store, and `close`, which waits for earlier operations and then closes the file; later ones
 * throw `Unavailable`
 * @throws DatabaseFileError when the path cannot be opened and written, its disk is full, or the file is
 * damaged or no SQLite database
 * @throws SchemaDriftError when a newer release migrated the file, or a table, an index or a trigger is not
 * as the migrations made it; the file is closed and unchanged
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
  // SQLite tells of every commit of others.
  const freshness = { version: () => dialect.dataVersion(), maxAgeMs: Infinity };
  return closingAfterAll(createKyselyStore(db, sqliteTraits, freshness), close);
}

/** The error for whoever opens a file: damage or a full disk that a migration found. */
function openingError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof DatabaseFileError) return error.cause;
  const sentence = error instanceof Unavailable ? openingFault(error.cause, path) : null;
  return sentence === null ? error : new DatabaseFileError(sentence, { cause: error });
}

/** Migrates the file, and waits for another process that does so. */
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
 * The migrations that `openSqliteStore` would run now, in order. An existing file stays as it is; a missing
 * one is created empty.
 *
 * @throws DatabaseFileError when the path cannot be opened, or the file is no SQLite database
 * @throws SchemaDriftError as `openSqliteStore` does
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
