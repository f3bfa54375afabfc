import type { ColumnDefinition, Database as SqliteFile, RunResult, Statement } from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore, Unavailable } from '@subrail/core/ports';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { blankObject } from '../blank-object.js';
import { forgetOldest } from '../forget-oldest.js';
import { againWhileBusy } from './again-while-busy.js';
import { Checkpoints } from './checkpoints.js';
import { asStoreError, DatabaseFileError } from './faults.js';
import { FilesInPlace } from './files-in-place.js';

/** The number of prepared statements to cache: more than the store has fixed statements. */
const STATEMENT_CACHE_SIZE = 300;

/**
 * A Kysely driver for one better-sqlite3 connection. Unlike Kysely's own, it starts every transaction as a writer
 * (`begin immediate`; SQLite refuses a transaction that reads first and then writes after another process wrote), waits
 * for the lock of another process without blocking the event loop or the callers after it, caches prepared statements, serves
 * callers in the order of their calls as long as no other process has the lock, and brings what was written from the WAL into the
 * file soon after.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: RetryingConnection;
  readonly #checkpoints: Checkpoints;
  readonly #dataVersion: Statement<[], number>;
  #versionRead: Promise<number | null> | null = null;
  /** One caller has the connection at a time. */
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
   * A number that is another one after every commit of another connection to the file, in this process or not. Null when it cannot
   * be read now: the next statement says why. Calls of one turn of the event loop share one reading, taken after the last of them. So it
   * is never older than any of the calls, and the file is locked once.
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

  async init(): Promise<void> {
    // The caller opened the file.
  }

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

  /** Closes the file after every earlier caller was served that has its turn or waits for it, and not for the lock of another process. */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    await this.#checkpoints.close();
    this.#file.close();
    this.#turns.release();
  }
}

/**
 * Runs statements. While another process holds the lock, it retries a statement until the timeout. Once the file was found
 * damaged, or is no longer in its place, it writes nothing more; reads that still succeed go on.
 */
class RetryingConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #busyTimeoutMs: number;
  readonly #outOfTurn: (ms: number) => Promise<void>;
  readonly #onDamage: () => void;
  readonly #files: FilesInPlace;
  readonly #statements = new Map<string, PreparedStatement>();
  #damage: DatabaseFileError | null = null;
  /** Whether the caller has begun a transaction and not ended it. SQLite may have rolled it back. */
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
      // Out of a transaction, so that reads go on meanwhile, and the time-outs of several writes do not add up.
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
    // After some errors, such as those of a disk, SQLite rolls back. What follows would be written for good, one by one.
    if (this.#isInTransaction && !this.#file.inTransaction)
      throw new Unavailable(
        'SQLite rolled this transaction back after an earlier error. Nothing of it was written.',
      );
    const statement = this.#cachedStatement(sql);
    if (statement.writes) this.#refuseUnsafeWrite();
    const { toRow } = statement;
    if (toRow === null) return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
    // The query states the type of its rows.
    return { rows: statement.all(parameters).map((values) => toRow(values) as Row) };
  }

  #refuseUnsafeWrite(): void {
    if (this.#damage !== null) throw this.#damage;
    if (!this.#file.inTransaction) this.#files.check();
  }

  #asStoreError(error: unknown): unknown {
    const found = asStoreError(error, this.#file.name);
    // More writes could spread the damage, and a charge that is not on record must not be sent.
    if (found !== error && found instanceof DatabaseFileError) {
      this.#damage ??= found;
      this.#onDamage();
    }
    return found;
  }

  /** Returns the prepared statement of this text, and caches it. A full cache drops its oldest statement. */
  #cachedStatement(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = prepare(this.#file, sql);
    this.#statements.set(sql, statement);
    forgetOldest(this.#statements, STATEMENT_CACHE_SIZE);
    return statement;
  }
}

/** A prepared statement, which returns rows as arrays. */
interface PreparedStatement {
  /** Makes a row of the values of its columns; null for a statement that returns none. */
  readonly toRow: ((values: readonly unknown[]) => object) | null;
  /** Whether it can change the file. The begin of a writing transaction can, its end cannot. */
  readonly writes: boolean;
  readonly all: (parameters: readonly unknown[]) => readonly (readonly unknown[])[];
  readonly run: (parameters: readonly unknown[]) => RunResult;
}

/**
 * Prepares a statement that returns rows as arrays. The driver names the columns, because better-sqlite3 takes twice as
 * long to build objects of wide rows.
 */
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
