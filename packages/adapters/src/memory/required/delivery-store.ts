import type {
  DeliveryStore,
  DueDelivery,
  Endpoint,
  EndpointId,
  EventId,
  SubscriptionEvent,
} from '@subrail/core/ports';
import type { Tables } from '../tables.js';

export function deliveryStore({
  events,
  endpoints,
  endpointLeases,
  deliveries,
  deliveryAttempts,
}: Tables): DeliveryStore {
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

  function isLeased(id: string, now: Date, leaseMs: number): boolean {
    const left = (endpointLeases.get(id)?.until.getTime() ?? 0) - now.getTime();
    return left > 0 && left <= 2 * leaseMs;
  }

  return {
    async claimEndpoints(now, limits, leaseMs) {
      const left = { ...limits };
      const until = new Date(now.getTime() + leaseMs);
      const claimed = deliveries
        .dueGroups(now)
        .filter((id) => !isLeased(id, now, leaseMs))
        .map((id) => endpoint(id as EndpointId))
        .filter(({ failingSince }) => left[failingSince === null ? 'healthy' : 'failing']-- > 0);
      endpointLeases.put(claimed.map(({ id }) => ({ endpointId: id, until })));
      return { claimed: claimed.map((row) => ({ endpoint: row, leasedUntil: until })), unreadable: [] };
    },
    async releaseEndpoint(id, leasedUntil) {
      if (endpointLeases.get(id)?.until.getTime() === leasedUntil.getTime())
        endpointLeases.put([{ endpointId: id, until: new Date(0) }]);
    },
    async listDueDeliveries(endpointId, now, limit) {
      const due = deliveries.listDue(endpointId, now, limit).map((delivery): DueDelivery => {
        const { eventId } = delivery;
        if (eventId === null) throw new Error(`The test delivery ${delivery.id} must not be due.`);
        return { delivery: { ...delivery, eventId }, event: event(eventId) };
      });
      return { due, unreadable: [] };
    },
    async settleDeliveries(results) {
      return results.map(({ delivery, wasDueAt, attempt }) => {
        const stored = deliveries.get(delivery.id);
        if (
          stored?.state !== 'pending' ||
          stored.attempts !== delivery.attempts - 1 ||
          stored.nextAttemptAt?.getTime() !== wasDueAt?.getTime()
        )
          return 'lost';
        deliveries.put([delivery]);
        deliveryAttempts.put([attempt]);
        return 'settled';
      });
    },
    async failDeliveries(endpointId, at) {
      const pending = deliveries.where('pendingOfEndpoint', endpointId);
      deliveries.put(
        pending.map((row) => ({ ...row, state: 'failed', nextAttemptAt: null, settledAt: at }) as const),
      );
      return pending.length;
    },
  };
}
