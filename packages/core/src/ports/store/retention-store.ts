import type { Batch, BatchCursor } from './batch.js';

/**
 * A capability: the daily upkeep, which deletes records older than their retention and hastens deliveries.
 * Each method is a batch. A batch of a deletion looks at the records whose date is before an instant and
 * which follow `after`, oldest first, at most `limit` of them, and deletes those that may go.
 */
export interface RetentionStore {
  /**
   * Deletes events by `createdAt`, with their deliveries. Held events, and events with a pending delivery,
   * stay.
   */
  deleteEvents(createdBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /** Deletes settled deliveries by their `settledAt`. Pending deliveries and all events stay. */
  deleteDeliveries(settledBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /**
   * Deletes subscriptions whose status is `expired`, by their `lastEventAt`. A subscription stays that has an
   * event, a transfer, an attempt or signed terms, or that another one names as its `previousId`.
   */
  deleteExpiredCheckouts(expiredBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /**
   * Looks at the pending deliveries of events whose `nextAttemptAt` is later than `after`, by that date,
   * soonest first. Sets `nextAttemptAt` to `at` of those that wait so long by a clock that was ahead: the
   * last attempt began after `after`, or none was made since the delivery was created or sent again.
   */
  hastenDeliveries(after: Date, at: Date, limit: number, cursor: BatchCursor | null): Promise<Batch>;
}
