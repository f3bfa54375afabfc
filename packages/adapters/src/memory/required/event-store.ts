import type { EventStore, HeldEventCursor } from '@subrail/core/ports';
import { pageOf } from '../order.js';
import type { Tables } from '../tables.js';

export function eventStore({ events, subscriptions, deliveries }: Tables): EventStore {
  return {
    async findEvent(projectId, id) {
      const found = events.get(id);
      return found?.projectId === projectId && found.heldState === null ? found : null;
    },
    async listEvents(projectId, since, filter, page) {
      const listed = events
        .newestWritten('project', projectId)
        .filter((row) => row.createdAt >= since && row.heldState === null)
        .filter((row) => filter.type === null || row.type === filter.type)
        .filter((row) => filter.subscriptionId === null || row.subscriptionId === filter.subscriptionId);
      return pageOf(listed, page);
    },
    async saveBodiesIfAbsent(bodies) {
      return bodies.map(({ eventId, body }) => {
        const found = events.get(eventId);
        if (found === null)
          throw new Error(`Event ${eventId} is not in the store: its body cannot be saved.`);
        if (found.body !== null) return found.body;
        events.put([{ ...found, body }]);
        return body;
      });
    },
    async listHeldEvents(limit, after) {
      const held = events
        .where('held', 'held')
        .sort(bySubscription)
        .filter((row) => after === null || bySubscription(row, after) > 0)
        .slice(0, limit);
      return { held, unreadable: [], next: held.length === limit ? (held.at(-1) ?? null) : null };
    },
    async releaseEvents(subscriptionId, snapshots, at) {
      const held = events
        .where('held', 'held')
        .filter((row) => row.subscriptionId === subscriptionId)
        .sort(bySubscription);
      const released = held.filter(({ id }) => snapshots.has(id));
      // An event that is inserted again is the last one that was written.
      events.delete(released.map(({ id }) => id));
      for (const row of released)
        events.put([{ ...row, data: snapshots.get(row.id) ?? null, heldState: null }]);
      const firstHeld = held.find(({ id }) => !snapshots.has(id))?.sequence ?? Infinity;
      const waiting = events
        .where('subscription', subscriptionId)
        .filter(({ sequence }) => sequence < firstHeld)
        .flatMap(({ id }) => deliveries.where('event', id))
        .filter((row) => row.state === 'pending' && row.nextAttemptAt === null);
      deliveries.put(waiting.map((row) => ({ ...row, nextAttemptAt: at })));
      const subscription = subscriptions.get(subscriptionId);
      if (subscription !== null) {
        const { version } = subscription;
        subscriptions.put([{ ...subscription, version: version + 1, hasHeldEvents: firstHeld < Infinity }]);
      }
      return released.length;
    },
  };
}

function bySubscription(one: HeldEventCursor, other: HeldEventCursor): number {
  if (one.subscriptionId === other.subscriptionId) return one.sequence - other.sequence;
  return one.subscriptionId < other.subscriptionId ? -1 : 1;
}
