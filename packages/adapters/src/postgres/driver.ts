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
 * A Kysely driver over a pool of `pg`. Unlike that of Kysely, it prepares recurring statements once per
 * connection, discards failed connections, runs a single statement again after a deadlock, tells passing
 * errors (`Unavailable`) from faults, and writes nothing after the server reported damage.
 */
export class PostgresDriver implements Driver {
  readonly #pool: ServersPool;
  readonly #names: StatementNames | null;
  readonly #damage = new Damage();
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  #closed: Promise<void> | null = null;

  /** @param prepares whether statements are prepared, which some proxies do not pass on */
  constructor(pool: ServersPool, prepares: boolean) {
    this.#pool = pool;
    this.#names = prepares ? new StatementNames() : null;
    // The pool listens to free connections only. An error of one in use, without a listener, would end the
    // process.
    pool.on('connect', (client) => {
      client.on('error', () => this.#connections.get(client)?.breaks());
    });
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      const client = await this.#pool.connectToAny();
      const connection =
        this.#connections.get(client) ?? new PostgresConnection(client, this.#names, this.#damage);
      this.#connections.set(client, connection);
      return connection;
    } catch (cause) {
      // Also when the server refuses the user: somebody may be changing the password or the rules.
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

  /** Closes the pool, which waits for the connections in use. */
  destroy(): Promise<void> {
    return (this.#closed ??= this.#pool.end());
  }
}

/** A connection of the pool, used by one caller at a time. */
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

  /** Marks a failed connection, so that the pool drops it. */
  breaks(): void {
    this.#isBroken = true;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#damage.refuseWrite(query.query);
    const name = this.#names?.nameOf(query);
    // A transaction runs again as a whole.
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
      // Explicit, because a role may have another default.
      CompiledQuery.raw(`begin isolation level ${isolation ?? 'read committed'}`),
    );
    this.#isInTransaction = true;
  }

  /**
   * Ends a transaction. After a failed statement the server answers a commit by a rollback, without an error.
   */
  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    this.#isInTransaction = false;
    const { command } = await this.#query(CompiledQuery.raw(how));
    if (command !== how)
      throw new Error('Nothing of the transaction was written, because one of its statements had failed.');
  }

  /** Rolls back, as the server does when a connection ends. */
  async rollBack(): Promise<void> {
    this.#isInTransaction = false;
    if (this.#isBroken) return;
    // The caller wants the error that made it roll back.
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

/** Removes values of rows, which belong to customers, from an error, because errors are logged. */
function withoutRow(error: unknown): unknown {
  if (error instanceof DatabaseError) Object.assign(error, { detail: undefined, where: undefined });
  return error;
}

/**
 * Names of prepared statements. A compiled statement of the store runs with the same syntax tree each time,
 * and is prepared when its tree runs for the second time. A statement that is built for each call has a new
 * tree, and takes no memory on the server.
 *
 * A name is a hash of the text, because a proxy may share a connection between hosts, and a name must mean
 * the same statement at each.
 */
class StatementNames {
  /** The name by syntax tree; null for a tree that ran once. */
  readonly #names = new WeakMap<RootOperationNode, string | null>();

  /** The name of a statement; undefined when its tree runs for the first time. */
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
