import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as SqliteFile, RunResult, Statement } from 'better-sqlite3';
import { Unavailable } from '@subrail/core/ports';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { Turns } from '../turns.js';
import { Checkpoints } from './checkpoints.js';

/** The number of prepared statements to cache: more than the store has fixed statements. */
const STATEMENT_CACHE_SIZE = 300;
/** The longest pause before a busy statement runs again. Pauses double up to it. */
const MAX_PAUSE_MS = 20;

/**
 * A Kysely driver for one better-sqlite3 connection. Unlike Kysely's own, it starts every transaction as a writer
 * (`begin immediate`; SQLite refuses a transaction that reads first and then writes after another process wrote), waits
 * for the lock of another process without blocking the event loop, caches prepared statements, serves callers in the
 * order of their calls, and brings what was written from the WAL into the file soon after.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: RetryingConnection;
  readonly #checkpoints: Checkpoints;
  readonly #dataVersion: Statement<[], number>;
  readonly #turns = new Turns();

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#connection = new RetryingConnection(file, busyTimeoutMs);
    this.#checkpoints = new Checkpoints(file);
    this.#dataVersion = file.prepare<[], number>('pragma data_version').pluck();
  }

  /**
   * A number that is another one after every commit of another connection to the file, in this process or not. Null when it cannot
   * be read now: the next statement says why.
   */
  dataVersion(): number | null {
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
    await this.#turns.take();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#checkpoints.afterUse();
    this.#turns.pass();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (this.#file.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** Closes the file after every earlier caller was served. */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#checkpoints.close();
    this.#file.close();
    this.#turns.pass();
  }
}

/** Runs statements. While another process holds the lock, it retries a statement until the timeout. */
class RetryingConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const started = performance.now();
    for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return this.#run<Row>(query);
      } catch (error) {
        // A busy statement changed nothing, so it can run again.
        if (!isBusy(error) || performance.now() - started >= this.#busyTimeoutMs) throw asUnavailable(error);
      }
      await sleep(pause);
    }
  }

  // eslint-disable-next-line require-yield -- the interface has it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The SQLite driver does not stream rows. Read them with execute().');
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#cachedStatement(sql);
    if (statement.names === null) {
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
    }
    const { names } = statement;
    // The query states the type of its rows.
    return { rows: statement.all(parameters).map((values) => rowOf(names, values) as Row) };
  }

  /** Returns the prepared statement of this text, and caches it. A full cache drops its oldest statement. */
  #cachedStatement(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = prepare(this.#file, sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENT_CACHE_SIZE) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }
}

/** A prepared statement, which returns rows as arrays. */
interface PreparedStatement {
  /** The names of the columns it returns; null for a write. */
  readonly names: readonly string[] | null;
  readonly all: (parameters: readonly unknown[]) => readonly (readonly unknown[])[];
  readonly run: (parameters: readonly unknown[]) => RunResult;
}

/**
 * Prepares a statement that returns rows as arrays. The driver names the columns, because better-sqlite3 takes twice as
 * long to build objects of wide rows.
 */
function prepare(file: SqliteFile, sql: string): PreparedStatement {
  const statement = file.prepare<unknown[], readonly unknown[]>(sql);
  const names = statement.reader
    ? statement
        .raw()
        .columns()
        .map(({ name }) => name)
    : null;
  return {
    names,
    all: (parameters) => statement.all(...parameters),
    run: (parameters) => statement.run(...parameters),
  };
}

function rowOf(names: readonly string[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = values[at];
  return row;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/**
 * Turns an error of the file, its disk or another process into `Unavailable`, since it may pass. Other errors are
 * faults, and are returned unchanged.
 */
function asUnavailable(error: unknown): unknown {
  const temporary = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY)/.test(codeOf(error));
  const closed = error instanceof TypeError && error.message.includes('not open');
  return temporary || closed
    ? new Unavailable(
        'The SQLite database cannot be used now: it is busy, full, closed or not accessible. The cause says which. Try again.',
        { cause: error },
      )
    : error;
}
