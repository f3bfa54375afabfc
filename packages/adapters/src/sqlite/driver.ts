import type { ColumnDefinition, Database as SqliteFile, RunResult, Statement } from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore, Unavailable } from '@subrail/core/ports';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { blankObject } from '../kysely/tables/blank-object.js';
import { forgetOldest } from '../forget-oldest.js';
import { againWhileBusy } from './again-while-busy.js';
import { Checkpoints } from './checkpoints.js';
import { asStoreError, DatabaseFileError } from './faults.js';
import { FilesInPlace } from './files-in-place.js';

/** More than the store has fixed statements. */
const STATEMENT_CACHE_SIZE = 300;

/**
 * A Kysely driver for one better-sqlite3 connection. Unlike that of Kysely, it begins transactions as writers
 * (`begin immediate`; SQLite refuses a write after another process wrote since the first read), waits for
 * locks without blocking the event loop or later callers, caches prepared statements, serves callers in order
 * while no other process has the lock, and brings commits into the file soon.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: RetryingConnection;
  readonly #checkpoints: Checkpoints;
  readonly #dataVersion: Statement<[], number>;
  #versionRead: Promise<number | null> | null = null;
  readonly #turns = new Semaphore(1);

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#checkpoints = new Checkpoints(file);
    const outOfTurn = async (ms: number) => {
      this.#turns.release();
      await sleep(ms);
      await this.#turns.acquire();
    };
    this.#connection = new RetryingConnection(file, busyTimeoutMs, outOfTurn, () => this.#checkpoints.stop());
    this.#dataVersion = file.prepare<[], number>('pragma data_version').pluck();
  }

  /**
   * Changes with every commit of another connection to the file, in this process or not. Null when it cannot
   * be read now: the next statement says why. Calls of one turn of the event loop share one reading, taken
   * after the last of them, so the file is locked once.
   */
  dataVersion(): Promise<number | null> {
    return (this.#versionRead ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#versionRead = null;
        resolve(this.#readDataVersion());
      });
    }));
  }

  #readDataVersion(): number | null {
    try {
      return this.#dataVersion.get() ?? null;
    } catch {
      return null;
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#checkpoints.afterUse();
    this.#turns.release();
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.end('commit');
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.end('rollback');
  }

  /**
   * Closes the file after the callers that have their turn or wait for it; a caller that waits for a lock is
   * refused.
   */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    await this.#checkpoints.close();
    this.#file.close();
    this.#turns.release();
  }
}

/**
 * Runs statements, and retries them while another process holds the lock. A damaged or missing file is not
 * written to any more; reads that succeed go on.
 */
class RetryingConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #busyTimeoutMs: number;
  readonly #outOfTurn: (ms: number) => Promise<void>;
  readonly #onDamage: () => void;
  readonly #files: FilesInPlace;
  readonly #statements = new Map<string, PreparedStatement>();
  #damage: DatabaseFileError | null = null;
  /** True between begin and end. SQLite may have rolled back meanwhile. */
  #isInTransaction = false;

  /** @param outOfTurn waits for some milliseconds, in which other callers use the connection */
  constructor(
    file: SqliteFile,
    busyTimeoutMs: number,
    outOfTurn: (ms: number) => Promise<void>,
    onDamage: () => void,
  ) {
    this.#file = file;
    this.#outOfTurn = outOfTurn;
    this.#onDamage = onDamage;
    this.#files = new FilesInPlace(file.name);
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      // Out of turn outside of a transaction, so that reads go on, and timeouts of writes do not add up.
      const wait = (ms: number) => (this.#file.inTransaction ? sleep(ms) : this.#outOfTurn(ms));
      return await againWhileBusy(() => this.#run<Row>(query), this.#busyTimeoutMs, wait);
    } catch (error) {
      throw this.#asStoreError(error);
    }
  }

  async begin(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#isInTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    try {
      if (how === 'commit' || this.#file.inTransaction) await this.executeQuery(CompiledQuery.raw(how));
    } finally {
      this.#isInTransaction = false;
    }
  }

  // oxlint-disable-next-line require-yield -- the interface has it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The SQLite driver does not stream rows. Read them with execute().');
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    // SQLite rolls back after some errors, such as those of a disk. Later statements would commit one by one.
    if (this.#isInTransaction && !this.#file.inTransaction)
      throw new Unavailable(
        'SQLite rolled this transaction back after an earlier error. Nothing of it was written.',
      );
    const statement = this.#cachedStatement(sql);
    if (statement.writes) this.#refuseUnsafeWrite();
    const { toRow } = statement;
    if (toRow === null) return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
    return { rows: statement.all(parameters).map((values) => toRow(values) as Row) };
  }

  #refuseUnsafeWrite(): void {
    if (this.#damage !== null) throw this.#damage;
    if (!this.#file.inTransaction) this.#files.check();
  }

  #asStoreError(error: unknown): unknown {
    const fault = asStoreError(error, this.#file.name);
    // More writes could spread the damage, and an unrecorded charge must not be sent.
    if (fault !== error && fault instanceof DatabaseFileError) {
      this.#damage ??= fault;
      this.#onDamage();
    }
    return fault;
  }

  /** The prepared statement of a text. A full cache drops the oldest. */
  #cachedStatement(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = prepare(this.#file, sql);
    this.#statements.set(sql, statement);
    forgetOldest(this.#statements, STATEMENT_CACHE_SIZE);
    return statement;
  }
}

interface PreparedStatement {
  /** Makes a row of its values; null for a statement without rows. */
  readonly toRow: ((values: readonly unknown[]) => object) | null;
  /** Whether the statement can change the file, as `begin immediate` can. */
  readonly writes: boolean;
  readonly all: (parameters: readonly unknown[]) => readonly (readonly unknown[])[];
  readonly run: (parameters: readonly unknown[]) => RunResult;
}

/** Prepares a statement with rows as arrays: better-sqlite3 takes twice as long to build wide objects. */
function prepare(file: SqliteFile, sql: string): PreparedStatement {
  const statement = file.prepare<unknown[], readonly unknown[]>(sql);
  return {
    toRow: statement.reader ? rowsOf(statement.raw().columns()) : null,
    writes: !statement.readonly,
    all: (parameters) => statement.all(...parameters),
    run: (parameters) => statement.run(...parameters),
  };
}

function rowsOf(columns: readonly ColumnDefinition[]): (values: readonly unknown[]) => object {
  const names = columns.map(({ name }) => name);
  const blank = blankObject(names);
  return (values) => {
    const row: Record<string, unknown> = { ...blank };
    for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = values[at];
    return row;
  };
}
