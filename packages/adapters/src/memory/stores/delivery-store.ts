import type {
  Delivery,
  DeliveryStore,
  DueDelivery,
  Endpoint,
  EndpointId,
  EventId,
  SubscriptionEvent,
} from '@subrail/core/ports';
import { batchOf, newestFirst, pageOf } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

/** Deliveries of events to endpoints, which sender serves an endpoint, and the attempts. */
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
    async postponeUnreadableDelivery(id, nextAttemptAt) {
      const row = deliveries.get(id);
      if (row?.state === 'pending') deliveries.put([{ ...row, nextAttemptAt }]);
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

    async insertDeliveries(rows) {
      return rows.filter((row) => {
        const conflict = deliveries.insert([row]);
        if (conflict === 'eventAndEndpoint') return false;
        requireNew('delivery', conflict);
        return true;
      });
    },
    async resendDeliveries(endpointId, eventIds, states, at) {
      const found = eventIds
        .flatMap((eventId) => deliveries.find('eventAndEndpoint', eventId, endpointId) ?? [])
        .filter(
          ({ state, nextAttemptAt }) =>
            states.includes(state) && (state !== 'pending' || nextAttemptAt !== null),
        );
      deliveries.put(
        found.map((row): Delivery => ({
          ...row,
          state: 'pending',
          attemptsBefore: row.attempts,
          nextAttemptAt: at,
          settledAt: null,
        })),
      );
      return found.length;
    },
    async listTestDeliveries(endpointId, since) {
      const tests = deliveries.where('testsOfEndpoint', endpointId);
      return newestFirst(
        tests.filter(({ createdAt }) => createdAt >= since),
        'createdAt',
      );
    },
    async failUnfinishedTests(createdBefore, excerpt, at) {
      const unfinished = deliveries
        .all()
        .filter((row) => row.eventId === null && row.state === 'pending' && row.createdAt < createdBefore);
      deliveries.put(
        unfinished.map((row) => ({ ...row, state: 'failed', lastExcerpt: excerpt, settledAt: at }) as const),
      );
      return unfinished.length;
    },
    async hastenDeliveries(after, at, limit, cursor) {
      const isAhead = ({ id, attempts, attemptsBefore }: Delivery) =>
        attempts === attemptsBefore ||
        deliveryAttempts
          .where('delivery', id)
          .some(({ number, startedAt }) => number === attempts && startedAt > after);
      const waiting = deliveries
        .all()
        .filter((row) => row.state === 'pending' && row.eventId !== null)
        .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt > after);
      const { batch, next } = batchOf(waiting, ({ nextAttemptAt }) => nextAttemptAt, limit, cursor);
      const hastened = batch.filter(isAhead);
      deliveries.put(hastened.map((row) => ({ ...row, nextAttemptAt: at })));
      return { changed: hastened.length, next };
    },

    async findDelivery(projectId, id) {
      const found = deliveries.get(id);
      return found?.projectId === projectId ? found : null;
    },
    async listProjectDeliveries(projectId, { endpointId, eventId, state }, page) {
      const listed = deliveries
        .where('project', projectId)
        .filter(
          (row) =>
            (endpointId === null || row.endpointId === endpointId) &&
            (eventId === null || row.eventId === eventId) &&
            (state === null || row.state === state),
        );
      return pageOf(newestFirst(listed, 'createdAt'), page);
    },
    async listDeliveryAttempts(id) {
      return deliveryAttempts.where('delivery', id).toSorted((one, other) => one.number - other.number);
    },
    async listDeliveries(eventId) {
      return newestFirst(deliveries.where('event', eventId), 'createdAt');
    },
    async nextDeliveryAt() {
      return deliveries.firstDue();
    },
  };
}
