import type { Delivery, Endpoint, EndpointId, Event, EventId, StoreOperations } from '@subrail/core/ports';
import { dueFirst, earliest, newestFirst, pageOf } from './order.js';
import type { Tables } from './tables.js';

type WebhookOperations = Pick<
  StoreOperations,
  | 'findEvent'
  | 'listEvents'
  | 'saveBodyIfAbsent'
  | 'insertEndpoint'
  | 'updateEndpoint'
  | 'listEndpoints'
  | 'findEndpoint'
  | 'claimDeliveries'
  | 'settleDelivery'
  | 'failDeliveries'
  | 'listDeliveries'
  | 'nextDeliveryAt'
>;

/** Events, the endpoints they go to, and how each is on its way. */
export function webhookOperations({ events, endpoints, deliveries }: Tables): WebhookOperations {
  function event(id: EventId): Event {
    const found = events.get(id);
    if (found === null) throw new Error(`Event ${id} is unknown.`);
    return found;
  }

  function endpoint(id: EndpointId): Endpoint {
    const found = endpoints.get(id);
    if (found === null) throw new Error(`Endpoint ${id} is unknown.`);
    return found;
  }

  return {
    async findEvent(projectId, id) {
      const found = events.get(id);
      return found?.projectId === projectId ? found : null;
    },
    async listEvents(projectId, since, filter, ask) {
      const listed = events
        .where('project', projectId)
        .filter((row) => row.createdAt >= since)
        .filter((row) => filter.type === null || row.type === filter.type)
        .filter((row) => filter.subscriptionId === null || row.subscriptionId === filter.subscriptionId);
      return pageOf(newestFirst(listed, 'createdAt'), ask);
    },
    async saveBodyIfAbsent(eventId, body) {
      const found = event(eventId);
      if (found.body !== null) return found.body;
      events.put([{ ...found, body }]);
      return body;
    },

    async insertEndpoint(row) {
      const clash = endpoints.insert([row]);
      if (clash === 'id') throw new Error(`Endpoint ${row.id} exists.`);
      return clash === null ? 'inserted' : 'taken';
    },
    async updateEndpoint(row) {
      if (endpoints.get(row.id)?.version !== row.version - 1) return 'lost';
      return endpoints.put([row]) === null ? 'updated' : 'lost';
    },
    async listEndpoints(projectId) {
      return newestFirst(endpoints.where('project', projectId), 'createdAt');
    },
    async findEndpoint(projectId, id) {
      const found = endpoints.get(id);
      return found?.projectId === projectId ? found : null;
    },

    async claimDeliveries(now, limit, perEndpoint, leaseMs) {
      const due = dueFirst(deliveries.where('state', 'pending'), (row) => row.nextAttemptAt, now);
      const nextAttemptAt = new Date(now.getTime() + leaseMs);
      const claimed = atMostOfEach(due, perEndpoint)
        .slice(0, limit)
        .map((row) => ({ ...row, nextAttemptAt }));
      deliveries.put(claimed);
      return claimed.map((row) => ({
        delivery: row,
        event: event(row.eventId),
        endpoint: endpoint(row.endpointId),
      }));
    },
    async settleDelivery(row) {
      const stored = deliveries.get(row.id);
      if (stored?.state !== 'pending' || stored.attempts !== row.attempts - 1) return 'lost';
      deliveries.put([row]);
      return 'settled';
    },
    async failDeliveries(endpointId, at) {
      const pending = deliveries.where('endpoint', endpointId).filter((row) => row.state === 'pending');
      deliveries.put(
        pending.map((row) => ({ ...row, state: 'failed', nextAttemptAt: null, settledAt: at }) as const),
      );
    },
    async listDeliveries(eventId) {
      return newestFirst(deliveries.where('event', eventId), 'createdAt');
    },
    async nextDeliveryAt() {
      return earliest(deliveries.where('state', 'pending').map((row) => row.nextAttemptAt));
    },
  };
}

function atMostOfEach(due: readonly Delivery[], perEndpoint: number): Delivery[] {
  const taken = new Map<EndpointId, number>();
  return due.filter((row) => {
    const count = (taken.get(row.endpointId) ?? 0) + 1;
    taken.set(row.endpointId, count);
    return count <= perEndpoint;
  });
}
