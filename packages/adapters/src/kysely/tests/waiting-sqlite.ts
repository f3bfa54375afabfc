import { setTimeout as sleep } from 'node:timers/promises';
import { createKyselyStore, migrate, sqliteTraits, type Database } from '../index.js';
import { Unavailable, type FullStore } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';

/** The longest wait of a statement for the lock of another connection, and the pause between tries. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 2;

/** Kysely's connection, whose statements are tried again while another connection has the lock. */
class WaitingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#connection.executeQuery<Row>(query);
      } catch (error) {
        if (!(error instanceof SqliteFile.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
        if (performance.now() > end)
          throw new Unavailable('Another process keeps the database locked.', { cause: error });
      }
      await sleep(PAUSE_MS);
    }
  }

  streamQuery<Row>(query: CompiledQuery, size?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, size);
  }
}

/** Kysely's driver, whose transactions begin as writers. */
class WaitingDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new WaitingConnection(await super.acquireConnection());
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Kysely's adapter, with a migration in one transaction: one process migrates, and others wait for it. */
class TransactionalDdl extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Opens a store on a SQLite file, by Kysely's own dialect of SQLite. */
export async function openWaitingSqlite(
  path: string,
): Promise<{ readonly store: FullStore; readonly close: () => Promise<void> }> {
  // The file does not wait: that would stop the event loop, and a transaction of this process could not end.
  const database = new SqliteFile(path, { timeout: 0 });
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on'])
    database.pragma(pragma);
  const dialect = new SqliteDialect({ database });
  dialect.createDriver = () => new WaitingDriver({ database });
  dialect.createAdapter = () => new TransactionalDdl();
  const db = new Kysely<Database>({ dialect });
  await migrate(db, sqliteTraits);
  return { store: createKyselyStore(db, sqliteTraits), close: () => db.destroy() };
}
