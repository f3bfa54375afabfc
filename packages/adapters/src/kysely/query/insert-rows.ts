import type { Kysely } from 'kysely';
import type { Stored } from '../codec/codec.js';
import type { Database } from '../tables/database.js';
import type { RecordTable } from '../tables/record-table.js';
import { prepare, type Statement } from './statement.js';

/** Rows per statement: at most 32,766 values, which is the limit of SQLite. */
const MOST_ROWS = 256;

type Row<Column extends string> = { readonly [Name in Column]: Stored };

export function insertRecords<Record, Columns extends Row<keyof Columns & string>>(
  db: Kysely<Database>,
  table: keyof Database,
  { columns, encode }: RecordTable<Record, Columns>,
): (handle: Kysely<Database>, records: readonly Record[]) => Promise<void> {
  const insert = insertRows(db, table, columns);
  return (handle, records) => insert(handle, records.map(encode));
}

/**
 * Inserts rows, 1, 2, 4, ... or 256 per statement, so that few statements are prepared.
 *
 * @param columns the columns to write; each row has them
 */
export function insertRows<Column extends string>(
  db: Kysely<Database>,
  table: keyof Database,
  columns: readonly Column[],
): (handle: Kysely<Database>, rows: readonly Row<Column>[]) => Promise<void> {
  const statements = new Map<number, Statement<{ readonly [place: string]: Stored }, unknown>>();
  const compiled = (count: number) => {
    const known = statements.get(count);
    if (known !== undefined) return known;
    const statement = prepare((values: { readonly [place: string]: Stored }) => {
      const rows = Array.from({ length: count }, (_, row) =>
        Object.fromEntries(columns.map((column) => [column, values[`${row} ${column}`]])),
      );
      return db.insertInto(table).values(rows);
    });
    statements.set(count, statement);
    return statement;
  };
  return async (handle, rows) => {
    for (let from = 0; from < rows.length;) {
      const count = Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(rows.length - from)));
      const values: { [place: string]: Stored } = {};
      for (const [at, row] of rows.slice(from, from + count).entries())
        for (const column of columns) values[`${at} ${column}`] = row[column];
      await compiled(count).write(handle, values);
      from += count;
    }
  };
}
