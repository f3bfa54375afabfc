import type {
  Delivery,
  Endpoint,
  EndpointId,
  SubscriptionEvent,
  EventId,
  WebhookStore,
} from '@subrail/core/ports';
import { dueFirst, earliest, newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

/** Endpoints, and the deliveries of events to them. */
export function webhookStore({ events, endpoints, deliveries }: Tables): WebhookStore {
  function event(id: EventId): SubscriptionEvent {
    const found = events.get(id);
    if (found === null) throw new Error(`Event ${id} is not in the store, but a delivery names it.`);
    return found;
  }

  function endpoint(id: EndpointId): Endpoint {
    const found = endpoints.get(id);
    if (found === null) throw new Error(`Endpoint ${id} is not in the store, but a delivery names it.`);
    return found;
  }

  return {
    async insertEndpoint(row) {
      const conflict = endpoints.insert([row]);
      if (conflict === 'url') return 'taken';
      requireNew('endpoint', conflict);
      return 'inserted';
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
    async listNewestEndpoints(limit) {
      return newestFirst(endpoints.all(), 'createdAt').slice(0, limit);
    },

    async claimDeliveries(now, limit, perEndpoint, leaseMs) {
      const due = dueFirst(deliveries.where('state', 'pending'), (row) => row.nextAttemptAt, now);
      const nextAttemptAt = new Date(now.getTime() + leaseMs);
      const claimed = atMostPerEndpoint(due, perEndpoint)
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

function atMostPerEndpoint(due: readonly Delivery[], perEndpoint: number): Delivery[] {
  const counts = new Map<EndpointId, number>();
  return due.filter((row) => {
    const count = (counts.get(row.endpointId) ?? 0) + 1;
    counts.set(row.endpointId, count);
    return count <= perEndpoint;
  });
}
