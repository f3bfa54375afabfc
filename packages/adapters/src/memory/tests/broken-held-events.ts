import { replacing, type BrokenStore } from './break-store.js';

/** Stores that do not keep held events apart, or release them wrongly. */
export const BROKEN_HELD_EVENTS: readonly BrokenStore[] = [
  {
    promise: 'neither finds, lists nor delivers held events, nor delivers later ones',
    fault: 'finds a held event by its id',
    create: replacing((_, { events }) => ({ findEvent: async (_project, id) => events.get(id) })),
  },
  {
    promise: 'lists held events by subscription and sequence, in pages',
    fault: 'begins at the first one again',
    create: replacing((operations) => ({
      listHeldEvents: (limit) => operations.listHeldEvents(limit, null),
    })),
  },
  {
    promise: 'releases held events as the last written, and the deliveries behind them',
    fault: 'leaves an event where it was written first',
    create: replacing((_, { events }) => ({
      releaseEvents: async (_subscription, snapshots) => {
        for (const [id, data] of snapshots) {
          const event = events.get(id);
          if (event !== null) events.put([{ ...event, data, heldState: null }]);
        }
        return snapshots.size;
      },
    })),
  },
  {
    promise: 'releases held events as the last written, and the deliveries behind them',
    fault: 'makes every delivery of the subscription due',
    create: replacing((operations, { deliveries }) => ({
      async releaseEvents(subscriptionId, snapshots, at) {
        const released = await operations.releaseEvents(subscriptionId, snapshots, at);
        const waiting = deliveries.all().filter(({ nextAttemptAt }) => nextAttemptAt === null);
        deliveries.put(waiting.map((row) => ({ ...row, nextAttemptAt: at })));
        return released;
      },
    })),
  },
  {
    promise: 'releases held events as the last written, and the deliveries behind them',
    fault: 'leaves the version of the subscription when it releases none',
    create: replacing((operations, { events }) => ({
      releaseEvents: async (subscriptionId, snapshots, at) =>
        events.where('held', 'held').some(({ id }) => snapshots.has(id))
          ? operations.releaseEvents(subscriptionId, snapshots, at)
          : 0,
    })),
  },
  {
    promise: 'refuses the commit of a version from before a release of events',
    fault: 'leaves the version of the subscription',
    create: replacing((operations, { subscriptions }) => ({
      async releaseEvents(subscriptionId, snapshots, at) {
        const before = subscriptions.get(subscriptionId);
        const released = await operations.releaseEvents(subscriptionId, snapshots, at);
        if (before !== null) subscriptions.put([before]);
        return released;
      },
    })),
  },
  {
    promise: 'keeps a held event, however old it is',
    fault: 'deletes it',
    create: replacing((operations, { events }) => ({
      async deleteEvents(createdBefore, limit, after) {
        events.put(events.all().map((row) => ({ ...row, heldState: null })));
        return operations.deleteEvents(createdBefore, limit, after);
      },
    })),
  },
];
