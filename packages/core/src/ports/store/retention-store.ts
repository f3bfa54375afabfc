/** The last record that a deletion looked at: the date by which it goes, and the id. */
export interface RetentionCursor {
  readonly at: Date;
  readonly id: string;
}

/** What one deletion did. */
export interface Deletion {
  readonly deleted: number;
  /** Where the next deletion goes on; null when this one looked at the last record that is old enough. */
  readonly next: RetentionCursor | null;
}

/**
 * Deletes what is older than its retention. Nothing else is ever deleted.
 *
 * Each method looks at the records whose date is before an instant and which follow `after`, oldest first, by id within one
 * instant, and at no more than `limit` of them. It deletes those that may go, all in one step. So a call takes no longer
 * than `limit` allows, however many records are stored and however many of them stay.
 */
export interface RetentionStore {
  /**
   * Deletes events by their `createdAt`, with all their deliveries. An event with a pending delivery stays, and so does one
   * that is held.
   */
  deleteEvents(createdBefore: Date, limit: number, after: RetentionCursor | null): Promise<Deletion>;
  /** Deletes deliveries by their `settledAt`. One that is pending stays, and so does every event. */
  deleteDeliveries(settledBefore: Date, limit: number, after: RetentionCursor | null): Promise<Deletion>;
  /**
   * Deletes subscriptions whose status is `expired`, by their `lastEventAt`. One that has an event, a transfer, an attempt
   * or signed terms stays, and so does one that another subscription names as its `previousId`.
   */
  deleteExpiredCheckouts(
    expiredBefore: Date,
    limit: number,
    after: RetentionCursor | null,
  ): Promise<Deletion>;
}
