import { createHash } from 'node:crypto';
import { Unavailable } from '@subrail/core/ports';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type RootOperationNode,
  type TransactionSettings,
} from 'kysely';
import { DatabaseError, type PoolClient, type QueryResultRow } from 'pg';
import { againAfterConflicts } from '../kysely/query/again-after-conflicts.js';
import { postgresTraits } from '../kysely/engines/postgres.js';
import { Damage } from './damage.js';
import type { ServersPool } from './servers.js';
import { asUnavailable, endsConnection } from './unavailable.js';

const WRITES = ['INSERT', 'UPDATE', 'DELETE'];

/**
 * A Kysely driver over a pool of `pg`. Unlike Kysely's own, it prepares the statements that run again and again once for each
 * connection, throws away a connection that failed, runs a single statement again that lost a deadlock, tells what may pass
 * (`Unavailable`) from faults, and writes nothing more once the server reported damage.
 */
export class PostgresDriver implements Driver {
  readonly #pool: ServersPool;
  readonly #names: StatementNames | null;
  readonly #damage = new Damage();
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  #closed: Promise<void> | null = null;

  /** @param prepares whether statements are prepared; a proxy that gives each transaction another connection cannot */
  constructor(pool: ServersPool, prepares: boolean) {
    this.#pool = pool;
    this.#names = prepares ? new StatementNames() : null;
    // The pool listens only to connections that are free. An error of one in use, without a listener, would end the process.
    pool.on('connect', (client) => {
      client.on('error', () => this.#connections.get(client)?.breaks());
    });
  }

  async init(): Promise<void> {
    // The pool connects when a statement needs it.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      const client = await this.#pool.connectToAny();
      const connection =
        this.#connections.get(client) ?? new PostgresConnection(client, this.#names, this.#damage);
      this.#connections.set(client, connection);
      return connection;
    } catch (cause) {
      // Also when the server refuses the user: somebody is changing its password or its rules.
      throw new Unavailable(
        'No connection to the Postgres database can be made now. The cause says why. Try again.',
        { cause },
      );
    }
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    await connection.begin(isolationLevel);
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.end('COMMIT');
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollBack();
  }

  /** Closes the pool, which waits for the connections that are in use. */
  destroy(): Promise<void> {
    return (this.#closed ??= this.#pool.end());
  }
}

/** A connection of the pool, which is used by one caller at a time. */
class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #names: StatementNames | null;
  readonly #damage: Damage;
  #isInTransaction = false;
  #isBroken = false;

  constructor(client: PoolClient, names: StatementNames | null, damage: Damage) {
    this.#client = client;
    this.#names = names;
    this.#damage = damage;
  }

  /** Notes that the connection failed, so that nobody gets it again. */
  breaks(): void {
    this.#isBroken = true;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#damage.refuseWrite(query.query);
    const name = this.#names?.nameOf(query);
    // In a transaction, the transaction runs again as a whole.
    if (this.#isInTransaction) return this.#run(query, name);
    return againAfterConflicts(postgresTraits.isConflict, () => this.#run<Row>(query, name));
  }

  // oxlint-disable-next-line require-yield -- the interface has it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The Postgres driver does not stream rows. Read them with execute().');
  }

  async begin(isolation: string | undefined): Promise<void> {
    this.#damage.refuseTransaction();
    await this.#run(
      // By name, because a role may have another one as its default.
      CompiledQuery.raw(`begin isolation level ${isolation ?? 'read committed'}`),
    );
    this.#isInTransaction = true;
  }

  /** Ends a transaction. The server answers a commit by a rollback, and without an error, when a statement had failed. */
  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    this.#isInTransaction = false;
    const { command } = await this.#query(CompiledQuery.raw(how));
    if (command !== how)
      throw new Error('Nothing of the transaction was written, because one of its statements had failed.');
  }

  /** Rolls back. The server does so itself when a connection ends. */
  async rollBack(): Promise<void> {
    this.#isInTransaction = false;
    if (this.#isBroken) return;
    // What made the caller roll back is what it wants to know.
    await this.end('ROLLBACK').catch(() => this.breaks());
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #run<Row>(query: CompiledQuery, name?: string): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#query<Row>(query, name);
    return WRITES.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  async #query<Row>({ sql, parameters }: CompiledQuery, name?: string) {
    try {
      return await this.#client.query<Row & QueryResultRow>({
        text: sql,
        values: [...parameters],
        ...(name === undefined ? {} : { name }),
      });
    } catch (error) {
      if (endsConnection(error)) this.breaks();
      throw this.#damage.note(asUnavailable(withoutRow(error)));
    }
  }
}

/** Leaves out of a server's error the values of the row that it is about: errors are logged, and customers are nobody's business there. */
function withoutRow(error: unknown): unknown {
  if (error instanceof DatabaseError) Object.assign(error, { detail: undefined, where: undefined });
  return error;
}

/**
 * Names of the statements that are prepared. A statement of the store is compiled once and runs with the same syntax tree each time, so
 * it is prepared when its tree runs for the second time. A statement that is built anew for each call has a new tree each time. It is
 * not prepared, and so takes no memory on the server.
 *
 * A name is a hash of the text. A proxy may give a connection of the server to several hosts, and a name that meant one statement at one
 * host and another at the next would run the wrong one.
 */
class StatementNames {
  /** The name by the syntax tree; null for one that ran once. */
  readonly #names = new WeakMap<RootOperationNode, string | null>();

  /** Returns the name of a statement that is about to run, or undefined when its tree runs for the first time. */
  nameOf({ query, sql }: CompiledQuery): string | undefined {
    const known = this.#names.get(query);
    if (known !== undefined && known !== null) return known;
    // The server reads 63 bytes of a name.
    const hash = () => createHash('sha256').update(sql).digest('hex').slice(0, 32);
    const name = known === null ? `subrail_${hash()}` : null;
    this.#names.set(query, name);
    return name ?? undefined;
  }
}
