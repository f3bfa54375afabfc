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

/** Makes all migrations one transaction, which SQLite can roll back, and which keeps other writers out. */
class TransactionalDdl extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class SqliteDialect implements Dialect {
  readonly #driver: SqliteDriver;

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#driver = new SqliteDriver(file, busyTimeoutMs);
  }

  /**
   * Closes the file after every earlier caller. After a `destroy` of Kysely, later callers would not hear
   * that the database is closed.
   */
  close(): Promise<void> {
    return this.#driver.destroy();
  }

  /** Changes with every commit of another connection to the file; null when it cannot be read now. */
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
