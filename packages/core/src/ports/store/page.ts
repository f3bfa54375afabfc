/** One page of a list, newest first: ordered by the list's instant, then by id, both descending. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Whether at least one more item follows this page. */
  readonly hasMore: boolean;
}

/**
 * Which page of a list is wanted. `startingAfter` is the id of the last item of the page before, or null for the first
 * page. When that id is not an item of the list, the method returns `unknown_cursor`.
 */
export interface PageRequest<Id> {
  readonly limit: number;
  readonly startingAfter: Id | null;
}
