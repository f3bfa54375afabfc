import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, RootOperationNode } from 'kysely';
import pg from 'pg';
import { openPool } from '../../../postgres/pool.js';

/** How PostgreSQL ran a statement. */
export interface Explained {
  readonly sql: string;
  readonly plan: PlanNode;
}

/** A node of a query plan, as `explain (analyze, buffers, format json)` prints it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * A Kysely driver over one connection. Before a statement runs for its rows, PostgreSQL runs it under
 * `explain analyze`, which is undone, with the plan for its values. When a statement runs again, which the
 * store's driver prepares, the generic plan is explained too.
 */
export class ExplainingDriver implements Driver {
  readonly explained: Explained[] = [];
  readonly #pool: pg.Pool;
  /** The syntax trees that ran. A statement that is built anew for each call has a new one each time. */
  readonly #ran = new WeakSet<RootOperationNode>();

  constructor(url: string) {
    this.#pool = openPool({ url, poolSize: 1, timeouts: { statementMs: 600_000 } });
  }

  async init(): Promise<void> {
    // The pool connects when a statement needs it.
  }

  async acquireConnection(): Promise<ExplainingConnection> {
    return new ExplainingConnection(await this.#pool.connect(), this.explained, this.#ran);
  }

  async beginTransaction(connection: ExplainingConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: ExplainingConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: ExplainingConnection): Promise<void> {
    await connection.end('rollback');
  }

  async releaseConnection(connection: ExplainingConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class ExplainingConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #explained: Explained[];
  readonly #ran: WeakSet<RootOperationNode>;
  #isInTransaction = false;

  constructor(client: pg.PoolClient, explained: Explained[], ran: WeakSet<RootOperationNode>) {
    this.#client = client;
    this.#explained = explained;
    this.#ran = ran;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (/^(select|insert|update|delete|with)\b/i.test(query.sql.trim())) await this.#explain(query);
    const { rows, rowCount } = await this.#client.query(query.sql, [...query.parameters]);
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface has it, and the store streams nothing
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed.');
  }

  async begin(): Promise<void> {
    await this.#client.query('begin');
    this.#isInTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    await this.#client.query(how);
  }

  release(): void {
    this.#client.release();
  }

  async #explain({ sql, parameters, query }: CompiledQuery): Promise<void> {
    const [begin, undo] = this.#isInTransaction
      ? ['savepoint explained', 'rollback to savepoint explained']
      : ['begin', 'rollback'];
    const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
    const isPrepared = this.#ran.has(query);
    this.#ran.add(query);
    for (const mode of ['force_custom_plan', ...(isPrepared ? ['force_generic_plan'] : [])]) {
      await this.#client.query(begin);
      await this.#client.query(`set local plan_cache_mode = ${mode}`);
      await this.#client.query(`prepare explained as ${sql}`);
      const { rows } = await this.#client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
        `explain (analyze, buffers, format json) execute explained${values}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan === undefined) throw new Error('PostgreSQL explained nothing.');
      this.#explained.push({ sql, plan });
      await this.#client.query('deallocate explained');
      await this.#client.query(undo);
    }
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new TypeError(`The store binds no ${typeof value}.`);
}
