import type { Page, PageRequest } from '@subrail/core/ports';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { SelectedRow } from '../tables/record-table.js';
import type { Handle } from './session.js';

/** A place in an ordered list, or the two columns of the order. */
export interface Place<At = string> {
  readonly at: At;
  readonly id: string;
}

/**
 * Reads a page that starts after the cursor, not after a number of rows, so rows written between two pages
 * never repeat or hide others (lists#keyset-pagination).
 *
 * @param find finds the place of an id in this list
 * @param read reads at most `limit` rows after a place
 */
export async function keysetPage<Item, Id extends string, Place>(
  request: PageRequest<Id>,
  find: (id: Id) => Promise<Place | null>,
  read: (after: Place | null, limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item> | 'unknown_cursor'> {
  const after = request.startingAfter === null ? null : await find(request.startingAfter);
  if (after === null && request.startingAfter !== null) return 'unknown_cursor';
  // One row more shows whether a further page exists.
  const rows = await read(after, request.limit + 1);
  return { data: rows.slice(0, request.limit), hasMore: rows.length > request.limit };
}

/** A page of a list that is sorted newest first, by id within one instant. */
export function newestPage<
  Tables,
  From extends keyof Tables,
  Row extends SelectedRow,
  Item,
  Id extends string,
>(
  handle: Handle,
  listed: SelectQueryBuilder<Tables, From, Row>,
  columns: Place,
  read: (row: Row) => Item,
  page: PageRequest<Id>,
): Promise<Page<Item> | 'unknown_cursor'> {
  const [at, id] = [sql.ref<number>(columns.at), sql.ref<string>(columns.id)];
  return keysetPage(
    page,
    async (cursor) => {
      const row = listed
        .clearSelect()
        .select([at.as('at'), id.as('id')])
        .where(sql<SqlBool>`${id} = ${cursor}`);
      return (await handle.executeQuery<Place<number>>(row.compile())).rows[0] ?? null;
    },
    async (after, limit) => {
      const rest = after === null ? listed : listed.where(isAfter(columns, after));
      const rows = rest.orderBy(at, 'desc').orderBy(id, 'desc').limit(limit);
      return (await handle.executeQuery(rows.compile())).rows.map(read);
    },
  );
}

/** The condition that a row follows a place in such a list. */
export function isAfter({ at, id }: Place, place: Place<number>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${place.at}, ${place.id})`;
}

/**
 * The start of the next page of a list sorted oldest first: after the cursor, and not before `since`. It is a
 * single lower limit, because of two an engine may use the earlier, and read everything in between.
 */
export function placeFrom(since: Date, cursor: Place<Date> | null): Place<number> {
  return cursor === null || cursor.at < since
    ? { at: since.getTime(), id: '' }
    : { at: cursor.at.getTime(), id: cursor.id };
}
