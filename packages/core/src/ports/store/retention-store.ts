import type { Batch, BatchCursor } from './batch.js';

/**
 * Deletes what is older than its retention. Nothing else is ever deleted.
 *
 * Each method is a batch: it looks at the records whose date is before an instant and which follow `after`, oldest first, and at
 * no more than `limit` of them. It deletes those that may go.
 */
export interface RetentionStore {
  /**
   * Deletes events by their `createdAt`, with all their deliveries. An event with a pending delivery stays, and so does one
   * that is held.
   */
  deleteEvents(createdBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /** Deletes deliveries by their `settledAt`. One that is pending stays, and so does every event. */
  deleteDeliveries(settledBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /**
   * Deletes subscriptions whose status is `expired`, by their `lastEventAt`. One that has an event, a transfer, an attempt
   * or signed terms stays, and so does one that another subscription names as its `previousId`.
   */
  deleteExpiredCheckouts(expiredBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
}
