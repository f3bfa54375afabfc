import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables/database.js';
import type { SelectedRow } from '../tables/record-table.js';
import { schemaIndexes } from '../migrations/indexes.js';
import type { TableRows } from './table-rows.js';
import { MOVED_TABLES, type MovedTable } from './tables.js';

export interface TablePair {
  readonly name: string;
  readonly about: MovedTable;
  readonly source: TableRows;
  readonly target: TableRows;
}

/** Writes to the target of this move in a transaction. */
export type Write = (work: (transaction: Kysely<Database>) => Promise<void>) => Promise<void>;

/**
 * Copies a table in the order of its key, from where an interrupted move stopped. Each statement inserts a
 * whole batch, so the target always has a beginning of the table. Indexes come last: one that grows row by
 * row takes many times as long. Equal rows then end the move at a unique index.
 */
export async function copyTable(
  { name, about, source, target }: TablePair,
  write: Write,
  copied: (rows: number) => Promise<void>,
): Promise<void> {
  const indexes = schemaIndexes().filter(({ table }) => table === name || followers(name).includes(table));
  let batch = await source.after(await target.last());
  if (batch.length > 0)
    await write(async (transaction) => {
      for (const index of indexes) await sql.raw(`drop index if exists ${index.name}`).execute(transaction);
    });
  while (batch.length > 0) {
    const rows = batch;
    const [following] = await Promise.all([
      // While the target writes, the next batch is read.
      batch.length < source.batchSize ? [] : source.after(batch.at(-1) ?? null),
      write((transaction) => target.insert(transaction, rows, about.refersToItself ?? [])),
    ]);
    await copied(batch.length);
    batch = following;
  }
  await setReferences(source.db, write, name, about);
  for (const { create } of indexes)
    await write(async (transaction) => {
      await sql.raw(create).execute(transaction);
    });
}

function followers(name: string): readonly string[] {
  return Object.entries(MOVED_TABLES).flatMap(([table, { follows }]) => (follows === name ? [table] : []));
}

/** Sets the columns that name rows of the same table. Repeating it changes nothing. */
async function setReferences(
  source: Kysely<Database>,
  write: Write,
  table: string,
  { key, refersToItself = [] }: MovedTable,
): Promise<void> {
  const [id = ''] = key;
  for (const column of refersToItself) {
    let after = '';
    for (;;) {
      const { rows } = await sql<SelectedRow>`
        select ${sql.ref(id)}, ${sql.ref(column)} from ${sql.table(table)}
        where ${sql.ref(column)} is not null and ${sql.ref(id)} > ${after}
        order by ${sql.ref(id)} limit 1000`.execute(source);
      if (rows.length === 0) break;
      await write(async (transaction) => {
        for (const row of rows)
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${row[column]} where ${sql.ref(id)} = ${row[id]}`.execute(
            transaction,
          );
      });
      after = String(rows.at(-1)?.[id]);
    }
  }
}
