import { everyPostgresRow } from '@subrail/test-world';
import SqliteFile from 'better-sqlite3';

type Row = Readonly<Record<string, unknown>>;

/** The rows of a database by the names of their tables. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/**
 * Reads every row of every table as the database has it.
 *
 * @param path of the store, which is not in memory
 */
export async function readEveryRow(path: string): Promise<Rows> {
  return (await everyPostgresRow(path)) ?? everyRowOfFile(path);
}

function everyRowOfFile(path: string): Rows {
  const file = new SqliteFile(path, { readonly: true });
  try {
    const tables = file
      .prepare<[], string>(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .pluck()
      .all();
    return Object.fromEntries(
      tables.map((name) => [name, file.prepare<[], Row>(`select * from "${name}" order by 1, 2`).all()]),
    );
  } finally {
    file.close();
  }
}
