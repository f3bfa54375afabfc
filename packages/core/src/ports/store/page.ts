/** One page of a list, newest first: sorted by the date that its method names, then by id, both descending. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Whether at least one more item follows this page. */
  readonly hasMore: boolean;
}

/**
 * A request for one page of a list. `startingAfter` is the id of the last item of the previous page, or null for the
 * first page. When that id is not an item of the list, the method returns `unknown_cursor`.
 */
export interface PageRequest<Id> {
  readonly limit: number;
  readonly startingAfter: Id | null;
}
