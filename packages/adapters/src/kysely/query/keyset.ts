import type { Page, PageRequest } from '@subrail/core/ports';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

type Dated = { readonly id: string; readonly at: Date };

/**
 * Reads a page of a list. The page starts after the cursor's row, not after a number of rows, so rows written between two
 * pages never repeat or hide others (lists#keyset-pagination).
 *
 * @param find finds the place in the list of the row with this id, or null when it is not in this list
 * @param read reads at most `limit` rows that follow `after`
 */
export async function keysetPage<Item, Id extends string, Place>(
  request: PageRequest<Id>,
  find: (id: Id) => Promise<Place | null>,
  read: (after: Place | null, limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item> | 'unknown_cursor'> {
  const after = request.startingAfter === null ? null : await find(request.startingAfter);
  if (after === null && request.startingAfter !== null) return 'unknown_cursor';
  // One row more than requested shows whether a further page exists.
  const rows = await read(after, request.limit + 1);
  return { data: rows.slice(0, request.limit), hasMore: rows.length > request.limit };
}

/** The condition that a row follows the cursor's row in a list that is sorted newest first, by id within one instant. */
export function isAfter(at: string, id: string, cursor: Dated): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${cursor.at.getTime()}, ${cursor.id})`;
}

/**
 * Where a list that is sorted oldest first goes on: after the cursor, and not before `since`. It is the only lower limit of its query,
 * because of two an engine may take the earlier one, and read everything in between.
 */
export function placeFrom(since: Date, cursor: Dated | null): { readonly at: number; readonly id: string } {
  return cursor === null || cursor.at < since
    ? { at: since.getTime(), id: '' }
    : { at: cursor.at.getTime(), id: cursor.id };
}
