import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as SqliteFile, RunResult } from 'better-sqlite3';
import { Unavailable } from '@subrail/core/ports';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';

/** How many prepared statements are kept: more than the store has of fixed ones. */
const KEPT_STATEMENTS = 300;
const LONGEST_NAP_MS = 20;

/**
 * Kysely's driver for one better-sqlite3 connection. In place of Kysely's own, because it
 * starts every transaction as a writer (`begin immediate`: one that reads first and writes then is refused outright when
 * another process wrote in between), waits for another process's lock without holding up the event loop,
 * keeps prepared statements, and serves callers in the order they came.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #connection: PatientConnection;
  #taken = false;
  /** Who waits for the connection, in the order they came. */
  readonly #waiting: (() => void)[] = [];

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#connection = new PatientConnection(file, busyTimeoutMs);
  }

  async init(): Promise<void> {
    // The file is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#passOn();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite rolls back by itself on a full disk and the like.
    if (this.#file.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** Closes the file once everyone who came before is served. */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#file.close();
    this.#passOn();
  }

  /** It stays taken on its way to the next, so that nobody comes in between. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, Prepared>();

  constructor(file: SqliteFile, busyTimeoutMs: number) {
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const started = performance.now();
    for (let nap = 1; ; nap = Math.min(nap * 2, LONGEST_NAP_MS)) {
      try {
        return this.#run<Row>(query);
      } catch (error) {
        // A busy statement did nothing, so it may be run again.
        if (!isBusy(error) || performance.now() - started >= this.#busyTimeoutMs) throw outage(error);
      }
      await sleep(nap);
    }
  }

  // eslint-disable-next-line require-yield -- the interface asks for it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported.');
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepared(sql);
    if (statement.names === null) {
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
    }
    const { names } = statement;
    // Rows are typed by the query that asked for them.
    return { rows: statement.all(parameters).map((values) => rowOf(names, values) as Row) };
  }

  /** The statement of this text, the one kept longest forgotten when there are too many. */
  #prepared(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = prepared(this.#file, sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > KEPT_STATEMENTS) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }
}

interface Prepared {
  /** The columns of what it reads; null when it only writes. */
  readonly names: readonly string[] | null;
  readonly all: (parameters: readonly unknown[]) => readonly (readonly unknown[])[];
  readonly run: (parameters: readonly unknown[]) => RunResult;
}

/** Rows are read as arrays and named here: better-sqlite3 takes twice as long to make objects of a wide row. */
function prepared(file: SqliteFile, sql: string): Prepared {
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

/** What the file, its disk or another process is to blame for, and may be over soon; anything else is a fault and stays what it is. */
function outage(error: unknown): unknown {
  const passing = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY)/.test(codeOf(error));
  const closed = error instanceof TypeError && error.message.includes('not open');
  return passing || closed ? new Unavailable('The database cannot serve now.', { cause: error }) : error;
}
