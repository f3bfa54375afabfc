import { sql, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Stored } from '../codec/codec.js';
import type { Database } from '../tables/database.js';
import type { SelectedRow } from '../tables/record-table.js';
import type { MovedTable } from './tables.js';

/** Postgres takes 65,535. */
const VALUES = 16_000;
const MOST_ROWS = 1_000;

/** Answers of endpoints, which may have any byte. */
const EXCERPTS = ['excerpt', 'last_excerpt'];

/** The rows of a table in the order of its primary key. */
export class TableRows {
  readonly columns: readonly string[];
  readonly batchSize: number;
  readonly db: Kysely<Database>;
  readonly #name: string;
  readonly #key: readonly string[];
  readonly #first: CompiledQuery;
  readonly #inserts = new Map<number, CompiledQuery>();

  constructor(db: Kysely<Database>, name: string, { key }: MovedTable, columns: readonly string[]) {
    this.columns = columns;
    this.batchSize = Math.min(MOST_ROWS, Math.floor(VALUES / columns.length));
    this.db = db;
    this.#name = name;
    this.#key = key;
    this.#first = this.#select(sql``).compile(db);
  }

  /** The rows after a row, or the first ones. */
  async after(row: SelectedRow | null): Promise<readonly SelectedRow[]> {
    const query = row === null ? this.#first : this.#select(this.#follows(row)).compile(this.db);
    const { rows } = await this.db.executeQuery<SelectedRow>(query);
    return rows.map(asPortable);
  }

  /** The key of the last row; null when the table is empty. */
  async last(): Promise<SelectedRow | null> {
    const order = sql.join(this.#key.map((column) => sql`${sql.ref(column)} desc`));
    const query = sql<SelectedRow>`select ${refs(this.#key)} from ${sql.table(this.#name)} order by ${order} limit 1`;
    return (await query.execute(this.db)).rows[0] ?? null;
  }

  /** Inserts all rows in one statement. */
  async insert(
    transaction: Kysely<Database>,
    rows: readonly SelectedRow[],
    leftOut: readonly string[],
  ): Promise<void> {
    const { sql: text, query, queryId } = this.#insertOf(rows.length);
    const valueOf = (row: SelectedRow, column: string): Stored =>
      leftOut.includes(column) ? null : (row[column] ?? null);
    const parameters = rows.flatMap((row) => this.columns.map((column) => valueOf(row, column)));
    await transaction.executeQuery({ sql: text, query, queryId, parameters });
  }

  #select(where: RawBuilder<unknown>): RawBuilder<SelectedRow> {
    const from = sql`select ${refs(this.columns)} from ${sql.table(this.#name)}`;
    return sql<SelectedRow>`${from} ${where} order by ${refs(this.#key)} limit ${sql.lit(this.batchSize)}`;
  }

  #follows(row: SelectedRow): RawBuilder<unknown> {
    return sql`where (${refs(this.#key)}) > (${sql.join(this.#key.map((column) => row[column]))})`;
  }

  #insertOf(count: number): CompiledQuery {
    const known = this.#inserts.get(count);
    if (known !== undefined) return known;
    const row = sql`(${sql.join(this.columns.map(() => null))})`;
    const rows = sql.join(Array.from({ length: count }, () => row));
    const made = sql`insert into ${sql.table(this.#name)} (${refs(this.columns)}) values ${rows}`.compile(
      this.db,
    );
    this.#inserts.set(count, made);
    return made;
  }
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Postgres stores no character of the code 0, so an excerpt gets a replacement character. */
function asPortable(row: SelectedRow): SelectedRow {
  const column = EXCERPTS.find((one) => typeof row[one] === 'string' && row[one].includes('\0'));
  return column === undefined ? row : { ...row, [column]: String(row[column]).replaceAll('\0', '\uFFFD') };
}
