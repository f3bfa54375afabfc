import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables/database.js';
import type { SelectedRow } from '../tables/record-table.js';
import type { TableRows } from './table-rows.js';
import type { MovedTable } from './tables.js';

/**
 * Copies the rows of a table in the order of its key, from the end of what an interrupted move has copied on. Each statement inserts
 * a batch as a whole, so that what is in the target is always a beginning of the table.
 */
export async function copyRows(
  source: TableRows,
  target: TableRows,
  { refersToItself = [] }: MovedTable,
  copied: (rows: number) => Promise<void>,
): Promise<void> {
  let batch = await source.after(await target.last());
  while (batch.length > 0) {
    const [following] = await Promise.all([
      // While the target writes, the next batch is read.
      batch.length < source.batchSize ? [] : source.after(batch.at(-1) ?? null),
      target.insert(batch, refersToItself),
    ]);
    await copied(batch.length);
    batch = following;
  }
}

/** Sets the columns that name rows of the same table, now that all of these are there. Doing it again changes nothing. */
export async function setReferences(
  source: Kysely<Database>,
  target: Kysely<Database>,
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
      await target.transaction().execute(async (transaction) => {
        for (const row of rows)
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${row[column]} where ${sql.ref(id)} = ${row[id]}`.execute(
            transaction,
          );
      });
      after = String(rows.at(-1)?.[id]);
    }
  }
}
