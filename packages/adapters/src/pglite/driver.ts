import type { PGlite } from '@electric-sql/pglite';
import { Semaphore } from '@subrail/core/ports';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

/** The message of the protocol that commits: a letter, a length, the statement and a zero byte. */
const COMMIT = Uint8Array.from([0x51, 0, 0, 0, 11, ...new TextEncoder().encode('commit\0')]);

/** A Kysely driver for PGlite, whose one connection serves callers in order. */
export class PgliteDriver implements Driver {
  readonly #pglite: PGlite;
  readonly #connection: DatabaseConnection;
  readonly #turns = new Semaphore(1);

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.#connection = new PgliteConnection(pglite);
  }

  async init(): Promise<void> {
    await this.#pglite.waitReady;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#turns.release();
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel = 'read committed' }: TransactionSettings,
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`begin isolation level ${isolationLevel}`));
  }

  /**
   * Ends a transaction. After a failed statement PostgreSQL answers a commit by a rollback, without an error;
   * only the protocol of PGlite shows that.
   */
  async commitTransaction(): Promise<void> {
    const { messages } = await this.#pglite.execProtocol(COMMIT);
    if (!messages.some((message) => 'text' in message && message.text === 'COMMIT'))
      throw new Error('Nothing of the transaction was written, because one of its statements had failed.');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** Closes the database after every earlier caller. */
  destroy(): Promise<void> {
    return this.#turns.run(() => this.#pglite.close());
  }
}

class PgliteConnection implements DatabaseConnection {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.#pglite.query<Row>(sql, [...parameters]);
    return { rows, numAffectedRows: BigInt(affectedRows ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface has it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The PGlite driver does not stream rows. Read them with execute().');
  }
}
