import type { Database as SqliteFile } from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Kysely,
  type QueryCompiler,
} from 'kysely';
import { SqliteDriver } from './driver.js';

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
  readonly #driver: SqliteDriver;

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#driver = new SqliteDriver(file, busyTimeoutMs);
  }

  /**
   * Closes the file after every earlier caller was served. Kysely's own `destroy` would refuse later callers before they
   * reach the driver, which tells them that the database is closed.
   */
  close(): Promise<void> {
    return this.#driver.destroy();
  }

  /** A number that is another one after every commit of another connection to the file; null when it cannot be read now. */
  dataVersion(): Promise<number | null> {
    return this.#driver.dataVersion();
  }

  createDriver(): SqliteDriver {
    return this.#driver;
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
