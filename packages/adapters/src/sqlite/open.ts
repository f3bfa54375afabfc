import { closeSync, openSync } from 'node:fs';
import type { Store } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, type Database } from '../kysely/index.js';
import { SqliteDialect, sqliteTraits } from './dialect.js';

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
 * returned survives a crash and a power cut. Several processes may open one file at the same time.
 *
 * @returns the store, and `close`, which waits for the operations that were called before it and then closes the file
 * @throws SchemaDriftError when a newer release migrated the file; the file is closed and unchanged
 * @example
 * const { store, close } = await openSqliteStore({ path: 'subrail.db' });
 */
export async function openSqliteStore({
  path,
  busyTimeoutMs = 5000,
}: SqliteOptions): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  if (path !== ':memory:') createForOwnerOnly(path);
  const file = new SqliteFile(path, { timeout: busyTimeoutMs });
  // In WAL mode reads continue while another process writes.
  file.pragma('journal_mode = WAL');
  // With the default of WAL mode a power cut can lose the last commits, which may be payments.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // The driver waits for locks from here on, because SQLite would block the event loop.
  file.pragma('busy_timeout = 0');

  const db = new Kysely<Database>({ dialect: new SqliteDialect(file, busyTimeoutMs) });
  const close = () => db.destroy();
  try {
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { store: createKyselyStore(db, sqliteTraits), close };
}

/**
 * Creates a missing file with permissions for its owner only. SQLite would follow the umask, and it copies the
 * permissions to the files next to it (`-wal`, `-shm`). An existing file is not opened: closing it would drop the locks
 * that another connection of this process holds.
 */
function createForOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
