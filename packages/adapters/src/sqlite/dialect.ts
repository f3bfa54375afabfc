import type { Database as SqliteFile } from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
} from 'kysely';
import type { DialectTraits } from '../kysely/index.js';
import { SqliteDriver } from './driver.js';

/** What the store must know of SQLite. */
export const sqliteTraits: DialectTraits = {
  // Writers take turns (`begin immediate`), so no row needs a lock of its own.
  locksRows: false,
  isUniqueViolation: (error) =>
    error instanceof Error &&
    'code' in error &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'),
};

/** Migrations run in one transaction, which SQLite rolls back whole and which keeps other processes out meanwhile. */
class TransactionalDdl extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class SqliteDialect implements Dialect {
  readonly #file: SqliteFile;
  readonly #busyTimeoutMs: number;

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#file, this.#busyTimeoutMs);
  }

  createAdapter(): DialectAdapter {
    return new TransactionalDdl();
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }
  createIntrospector<Tables>(db: Kysely<Tables>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}
