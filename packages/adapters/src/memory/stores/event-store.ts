import type { EventStore } from '@subrail/core/ports';
import { pageOf } from '../order.js';
import type { Tables } from '../tables.js';

/** Events, and the body that every delivery of an event repeats. */
export function eventStore({ events }: Tables): EventStore {
  return {
    async findEvent(projectId, id) {
      const found = events.get(id);
      return found?.projectId === projectId ? found : null;
    },
    async listEvents(projectId, since, filter, page) {
      const listed = events
        .newestWritten('project', projectId)
        .filter((row) => row.createdAt >= since)
        .filter((row) => filter.type === null || row.type === filter.type)
        .filter((row) => filter.subscriptionId === null || row.subscriptionId === filter.subscriptionId);
      return pageOf(listed, page);
    },
    async saveBodyIfAbsent(eventId, body) {
      const found = events.get(eventId);
      if (found === null) throw new Error(`Event ${eventId} is not in the store: its body cannot be saved.`);
      if (found.body !== null) return found.body;
      events.put([{ ...found, body }]);
      return body;
    },
  };
}
