/**
 * One page of a list, newest first: sorted by the instant that its method names (`createdAt` when it names
 * none), then by id, both descending. Every list that is "newest first" has this order, also without pages.
 */
export interface Page<T> {
  readonly data: readonly T[];
  /** Whether at least one more item follows this page. */
  readonly hasMore: boolean;
}

/**
 * A request for one page of a list, of at most `limit` items, which is 1 or more. `startingAfter` is the id
 * of the last item of the previous page, or null for the first page. When that id is not in the list with its
 * filters, the method returns `unknown_cursor`. The page starts at the item's place in the order and not
 * after a count of items, so rows written between two pages neither repeat nor hide an item. After the last
 * item the page is empty, and `hasMore` is false.
 */
export interface PageRequest<Id> {
  readonly limit: number;
  readonly startingAfter: Id | null;
}
