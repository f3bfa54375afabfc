import { replacing, type BrokenStore } from './break-store.js';

/** Stores that delete more, or other records, than they should. */
export const BROKEN_RETENTION: readonly BrokenStore[] = [
  {
    promise: 'deletes old events with their deliveries, and none with a pending delivery',
    fault: 'deletes events whose deliveries are pending',
    create: replacing((operations, { deliveries }) => ({
      async deleteEvents(createdBefore, limit, after) {
        const pending = deliveries.all().filter(({ state }) => state === 'pending');
        deliveries.put(pending.map((row) => ({ ...row, state: 'failed' })));
        return operations.deleteEvents(createdBefore, limit, after);
      },
    })),
  },
  {
    promise: 'deletes old events with their deliveries, and none with a pending delivery',
    fault: 'leaves the deliveries of deleted events',
    create: replacing((operations, { deliveries }) => ({
      async deleteEvents(createdBefore, limit, after) {
        const before = deliveries.all();
        const deletion = await operations.deleteEvents(createdBefore, limit, after);
        deliveries.put(before);
        return deletion;
      },
    })),
  },
  {
    promise: 'deletes deliveries that were settled long ago, and keeps all events',
    fault: 'deletes deliveries by when they were created',
    create: replacing((_, { deliveries }) => ({
      async deleteDeliveries(settledBefore) {
        const old = deliveries.all().filter(({ createdAt }) => createdAt < settledBefore);
        deliveries.delete(old.map(({ id }) => id));
        return { changed: old.length, next: null };
      },
    })),
  },
  {
    promise: 'deletes old expired checkouts, unless signed, submitted or with an event',
    fault: 'deletes checkouts that were submitted',
    create: replacing((operations, { transfers }) => ({
      async deleteExpiredCheckouts(expiredBefore, limit, after) {
        transfers.delete(transfers.all().map(({ id }) => id));
        return operations.deleteExpiredCheckouts(expiredBefore, limit, after);
      },
    })),
  },
];
