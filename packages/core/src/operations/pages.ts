import { ServiceError } from '../contract/errors.js';
import type { Page, PageRequest } from '../ports/index.js';

/** The page of a list that a query asks for. */
export function pageRequest<Id extends string>({
  limit,
  starting_after,
}: {
  readonly limit: number;
  readonly starting_after?: string | undefined;
}): PageRequest<Id> {
  return { limit, startingAfter: (starting_after ?? null) as Id | null };
}

/** The wire form of a page. Throws `invalid_request` for an unknown cursor. */
export function pageWire<Row, Wire>(page: Page<Row> | 'unknown_cursor', wire: (row: Row) => Wire) {
  if (page === 'unknown_cursor') throw unknownCursor();
  return { data: page.data.map(wire), has_more: page.hasMore };
}

/** The refusal of a cursor that is not the id of an item of the list (lists#unknown-cursor). */
export function unknownCursor(): ServiceError {
  return new ServiceError('invalid_request', {
    sentences: ['"starting_after" is not the id of an item of this list.'],
  });
}
