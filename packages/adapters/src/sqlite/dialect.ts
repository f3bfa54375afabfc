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

/** What the store must know about SQLite. */
export const sqliteTraits: DialectTraits = {
  // Only one transaction writes at a time (`begin immediate`), so rows need no locks.
  locksRows: false,
  isUniqueViolation: (error) =>
    error instanceof Error &&
    'code' in error &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'),
};

/**
 * Makes Kysely run all migrations in one transaction: SQLite can roll it back, and it keeps other processes from
 * writing.
 */
class TransactionalDdl extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's SQLite dialect, with the driver of this adapter. */
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
