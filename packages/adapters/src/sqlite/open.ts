import { closeSync, openSync } from 'node:fs';
import type { Store } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, type Database } from '../kysely/index.js';
import { SqliteDialect, sqliteFacts } from './dialect.js';

export interface SqliteOptions {
  /** A file, made when missing for its owner alone, or `:memory:` for one that lives as long as the store. */
  readonly path: string;
  /** How long to wait for another process that is writing before an operation throws. 5 seconds unless given. */
  readonly busyTimeoutMs?: number;
}

/**
 * A store in a SQLite file, migrated to this release's schema. What an operation answered survives a crash and a power cut.
 * Several processes may open one file.
 *
 * @throws SchemaDriftError when the file was made by a newer release (`migrate`).
 */
export async function openSqliteStore({
  path,
  busyTimeoutMs = 5000,
}: SqliteOptions): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  if (path !== ':memory:') makeForOwnerAlone(path);
  const file = new SqliteFile(path, { timeout: busyTimeoutMs });
  // Readers go on while another process writes.
  file.pragma('journal_mode = WAL');
  // In WAL the default loses the last commits in a power cut: they may be money.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // From here on the driver waits, where SQLite would hold up the event loop.
  file.pragma('busy_timeout = 0');

  const db = new Kysely<Database>({ dialect: new SqliteDialect(file, busyTimeoutMs) });
  const close = () => db.destroy();
  try {
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return { store: createKyselyStore(db, sqliteFacts), close };
}

/**
 * SQLite gives a file it makes to whom the umask lets, and the files next to it (`-wal`, `-shm`) the permissions of the
 * first. One that is there is not even opened: closing it would drop the locks another connection of this process holds.
 */
function makeForOwnerAlone(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
