import type { Page, PageRequest } from '@subrail/core/ports';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

type Dated = { readonly id: string; readonly at: Date };

/**
 * A page of a list that is ordered newest first by (instant, id). The next page starts from where the cursor's row stands in
 * that order, never from a count of rows, so that rows written meanwhile neither repeat nor hide others.
 *
 * @param find the row with this id, or null when it is not in the list asked for
 * @param read at most `limit` rows from `after` on
 */
export async function keysetPage<Item, Id extends string>(
  ask: PageRequest<Id>,
  find: (id: Id) => Promise<Dated | null>,
  read: (after: Dated | null, limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item> | 'unknown_cursor'> {
  const after = ask.startingAfter === null ? null : await find(ask.startingAfter);
  if (after === null && ask.startingAfter !== null) return 'unknown_cursor';
  // One more than asked for tells whether there are more.
  const rows = await read(after, ask.limit + 1);
  return { data: rows.slice(0, ask.limit), hasMore: rows.length > ask.limit };
}

/** Whether a row comes later in the list than the cursor's. */
export function isAfter(at: string, id: string, cursor: Dated): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${cursor.at.getTime()}, ${cursor.id})`;
}
