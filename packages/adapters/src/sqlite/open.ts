import type { Store } from '@subrail/core';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, type Database } from '../kysely/index.js';
import { SqliteDialect, sqliteFacts } from './dialect.js';

export interface SqliteOptions {
  /** A file, made when missing, or `:memory:` for one that lives as long as the store. */
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
