import type { DueDelivery, EndpointClaims } from '@subrail/core/ports';
import { replacing, type BrokenStore } from './break-store.js';

const claimsOf = (
  claims: EndpointClaims,
  change: (claimed: EndpointClaims['claimed']) => EndpointClaims['claimed'],
) => ({
  ...claims,
  claimed: change(claims.claimed),
});

/** Stores that send something twice, to the wrong endpoint or never, or lose what was sent. */
export const BROKEN_DELIVERIES: readonly BrokenStore[] = [
  {
    promise: 'claims endpoints with due deliveries, soonest first, and leases them',
    fault: 'claims them in the reverse order',
    create: replacing((operations) => ({
      claimEndpoints: async (...given) =>
        claimsOf(await operations.claimEndpoints(...given), (claimed) => claimed.toReversed()),
    })),
  },
  {
    promise: 'claims endpoints with due deliveries, soonest first, and leases them',
    fault: 'leases them to the wrong date',
    create: replacing((operations) => ({
      claimEndpoints: (now, limits, leaseMs) => operations.claimEndpoints(now, limits, leaseMs + 1),
    })),
  },
  {
    promise: 'claims endpoints that a clock which was ahead leased',
    fault: 'waits for every lease to end',
    create: replacing((operations, { endpointLeases }) => ({
      claimEndpoints: async (now, limits, leaseMs) =>
        endpointLeases.all().some(({ until }) => until > now)
          ? { claimed: [], unreadable: [] }
          : operations.claimEndpoints(now, limits, leaseMs),
    })),
  },
  {
    promise: 'claims a limited number of endpoints that fail, and of others',
    fault: 'counts both kinds together',
    create: replacing((operations) => ({
      claimEndpoints(now, { healthy, failing }, leaseMs) {
        return operations.claimEndpoints(
          now,
          { healthy: healthy + failing, failing: healthy + failing },
          leaseMs,
        );
      },
    })),
  },
  {
    promise: 'claims disabled and deleted endpoints, whose deliveries are to fail',
    fault: 'claims those only that are enabled',
    create: replacing((operations) => ({
      claimEndpoints: async (...given) =>
        claimsOf(await operations.claimEndpoints(...given), (claimed) =>
          claimed.filter(({ endpoint }) => endpoint.enabled),
        ),
    })),
  },
  {
    promise: 'gives each endpoint to exactly one of many racing senders',
    fault: 'claims without a lease',
    create: replacing((operations) => ({
      claimEndpoints: (now, limits) => operations.claimEndpoints(now, limits, 0),
    })),
  },
  {
    promise: 'ends a lease for the sender that holds it, and for no other',
    fault: 'ends whichever lease there is',
    create: replacing((_, { endpointLeases }) => ({
      async releaseEndpoint(endpointId) {
        endpointLeases.put([{ endpointId, until: new Date(0) }]);
      },
    })),
  },
  {
    promise: 'returns the due deliveries of an endpoint, soonest first, with their events',
    fault: 'returns those of all endpoints',
    create: replacing((operations, { endpoints }) => ({
      async listDueDeliveries(_, ...given) {
        const due: DueDelivery[] = [];
        for (const { id } of endpoints.all())
          due.push(...(await operations.listDueDeliveries(id, ...given)).due);
        return { due, unreadable: [] };
      },
    })),
  },
  {
    promise: 'returns the due deliveries of an endpoint, soonest first, with their events',
    fault: 'returns those of one instant in the reverse order of their ids',
    create: replacing((operations) => ({
      async listDueDeliveries(id, now, limit, unreadableUntil) {
        const { due } = await operations.listDueDeliveries(id, now, Infinity, unreadableUntil);
        const dueAt = ({ delivery }: DueDelivery) => Number(delivery.nextAttemptAt);
        const sorted = due.toReversed().toSorted((one, other) => dueAt(one) - dueAt(other));
        return { due: sorted.slice(0, limit), unreadable: [] };
      },
    })),
  },
  {
    promise: 'stores exactly one of many racing results of one attempt',
    fault: 'stores every result',
    create: replacing((_, { deliveries }) => ({
      async settleDeliveries(results) {
        deliveries.put(results.map(({ delivery }) => delivery));
        return results.map(() => 'settled');
      },
    })),
  },
  {
    promise: 'keeps every attempt of a delivery, the first one first',
    fault: 'returns the last one first',
    create: replacing((operations) => ({
      listDeliveryAttempts: async (id) => (await operations.listDeliveryAttempts(id)).toReversed(),
    })),
  },
  {
    promise: 'fails the pending deliveries of an endpoint, and no others',
    fault: 'fails delivered ones too',
    create: replacing((operations, { deliveries }) => ({
      async failDeliveries(endpointId, at) {
        const failed = await operations.failDeliveries(endpointId, at);
        const all = deliveries.all().filter((row) => row.endpointId === endpointId);
        deliveries.put(all.map((row) => ({ ...row, state: 'failed', settledAt: at })));
        return failed;
      },
    })),
  },
  {
    promise: 'sends again no delivery that waits for a held event',
    fault: 'makes it due',
    create: replacing((operations, { deliveries }) => ({
      async resendDeliveries(endpointId, eventIds, states, at) {
        const waiting = deliveries.all().filter(({ nextAttemptAt }) => nextAttemptAt === null);
        deliveries.put(waiting.map((row) => ({ ...row, nextAttemptAt: at })));
        return operations.resendDeliveries(endpointId, eventIds, states, at);
      },
    })),
  },
  {
    promise: 'reads a settled delivery as it was written',
    fault: 'forgets what the receiver answered',
    create: replacing((operations) => ({
      listDeliveries: async (id) =>
        (await operations.listDeliveries(id)).map((row) => ({ ...row, lastExcerpt: null })),
    })),
  },
  {
    promise: 'inserts deliveries of events that have none to that endpoint',
    fault: 'says that it inserted all of them',
    create: replacing((operations) => ({
      async insertDeliveries(rows) {
        await operations.insertDeliveries(rows);
        return rows;
      },
    })),
  },
  {
    promise: 'makes deliveries due again, and begins their schedule anew',
    fault: 'makes those due too that were delivered',
    create: replacing((operations) => ({
      resendDeliveries: (endpointId, eventIds, _, at) =>
        operations.resendDeliveries(endpointId, eventIds, ['pending', 'delivered', 'failed'], at),
    })),
  },
  {
    promise: 'makes deliveries due again, and begins their schedule anew',
    fault: 'goes on with the schedule',
    create: replacing((operations, { deliveries }) => ({
      async resendDeliveries(endpointId, ...given) {
        const count = await operations.resendDeliveries(endpointId, ...given);
        const all = deliveries.all().filter((row) => row.endpointId === endpointId);
        deliveries.put(all.map((row) => ({ ...row, attemptsBefore: 0 })));
        return count;
      },
    })),
  },
  {
    promise: 'lists the tests of an endpoint, newest first',
    fault: 'lists those of all times',
    create: replacing((operations) => ({
      listTestDeliveries: (endpointId) => operations.listTestDeliveries(endpointId, new Date(0)),
    })),
  },
  {
    promise: 'hastens the deliveries that wait by a clock that was ahead, and no others',
    fault: 'hastens those that wait for a retry too',
    create: replacing((operations, { deliveries }) => ({
      async hastenDeliveries(after, at, ...batch) {
        const hastened = await operations.hastenDeliveries(after, at, ...batch);
        const waiting = deliveries
          .all()
          .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt > after);
        deliveries.put(waiting.map((row) => ({ ...row, nextAttemptAt: at })));
        return hastened;
      },
    })),
  },
  {
    promise: 'hastens the deliveries that wait by a clock that was ahead, and no others',
    fault: 'hastens none',
    create: replacing(() => ({ hastenDeliveries: async () => ({ changed: 0, next: null }) })),
  },
  {
    promise: 'hastens a batch of deliveries at a time, soonest first, then by id',
    fault: 'ignores the limit',
    create: replacing((operations) => ({
      hastenDeliveries: (after, at, _, cursor) => operations.hastenDeliveries(after, at, 1_000, cursor),
    })),
  },
  {
    promise: 'hastens a batch of deliveries at a time, soonest first, then by id',
    fault: 'forgets where the last batch ended',
    create: replacing((operations) => ({
      hastenDeliveries: (after, at, limit) => operations.hastenDeliveries(after, at, limit, null),
    })),
  },
  {
    promise: 'hastens a batch of deliveries at a time, soonest first, then by id',
    fault: 'leaves out those of the instant at which the last batch ended',
    create: replacing((operations) => ({
      hastenDeliveries: (after, at, limit, cursor) =>
        operations.hastenDeliveries(after, at, limit, cursor && { ...cursor, id: 'z' }),
    })),
  },
  {
    promise: 'hastens a batch of deliveries at a time, soonest first, then by id',
    fault: 'ends at the first batch',
    create: replacing((operations) => ({
      hastenDeliveries: async (...given) => ({
        ...(await operations.hastenDeliveries(...given)),
        next: null,
      }),
    })),
  },
  {
    promise: 'fails the tests that are pending since before an instant, and no other deliveries',
    fault: 'fails those of all times',
    create: replacing((operations) => ({
      failUnfinishedTests: (_, excerpt, at) =>
        operations.failUnfinishedTests(new Date(8_640_000_000_000_000), excerpt, at),
    })),
  },
  {
    promise: 'fails the tests that are pending since before an instant, and no other deliveries',
    fault: 'fails the deliveries of events too',
    create: replacing((operations, { deliveries }) => ({
      async failUnfinishedTests(createdBefore, excerpt, at) {
        const count = await operations.failUnfinishedTests(createdBefore, excerpt, at);
        const pending = deliveries
          .all()
          .filter(({ eventId, state }) => eventId !== null && state === 'pending');
        deliveries.put(pending.map((row) => ({ ...row, state: 'failed', settledAt: at })));
        return count;
      },
    })),
  },
  {
    promise: 'finds a delivery in its project only',
    fault: 'finds it in any project',
    create: replacing((_, { deliveries }) => ({
      findDelivery: async (__, id) => deliveries.get(id),
    })),
  },
  {
    promise: 'lists the deliveries of a project by endpoint, event and state',
    fault: 'ignores the state',
    create: replacing((operations) => ({
      listProjectDeliveries: (projectId, filter, page) =>
        operations.listProjectDeliveries(projectId, { ...filter, state: null }, page),
    })),
  },
  {
    promise: 'neither repeats nor skips deliveries while others are written',
    fault: 'leaves out the first row after the cursor',
    create: replacing((operations) => ({
      async listProjectDeliveries(projectId, filter, page) {
        const read = await operations.listProjectDeliveries(projectId, filter, page);
        return read === 'unknown_cursor' || page.startingAfter === null
          ? read
          : { ...read, data: read.data.slice(1) };
      },
    })),
  },
  {
    promise: 'deletes the attempts of a delivery with it',
    fault: 'keeps them',
    create: replacing((operations, { deliveryAttempts }) => ({
      async deleteEvents(...given) {
        const kept = deliveryAttempts.all();
        const deletion = await operations.deleteEvents(...given);
        deliveryAttempts.put(kept);
        return deletion;
      },
    })),
  },
  {
    promise: 'shows a deleted endpoint to nobody, and gives its URL to another one',
    fault: 'lists deleted ones',
    create: replacing((operations, { endpoints }) => ({
      listEndpoints: async (projectId) => ({
        endpoints: endpoints.all().filter((row) => row.projectId === projectId),
        unreadable: [],
      }),
    })),
  },
  {
    promise: 'returns the earliest nextAttemptAt of all pending deliveries',
    fault: 'returns null when a delivery is settled',
    create: replacing((operations, { deliveries }) => ({
      nextDeliveryAt: async () =>
        deliveries.all().some(({ state }) => state !== 'pending') ? null : operations.nextDeliveryAt(),
    })),
  },
  {
    promise: 'writes a body once, and returns the stored one to every racing writer',
    fault: 'returns the caller’s own body',
    create: replacing((operations) => ({
      async saveBodiesIfAbsent(bodies) {
        await operations.saveBodiesIfAbsent(bodies);
        return bodies.map(({ body }) => body);
      },
    })),
  },
  {
    promise: 'writes a body once, and returns the stored one to every racing writer',
    fault: 'keeps the first of the bodies that are given together',
    create: replacing((operations, { events }) => ({
      async saveBodiesIfAbsent(bodies) {
        await operations.saveBodiesIfAbsent(bodies.slice(0, 1));
        return bodies.map(({ eventId, body }) => events.get(eventId)?.body ?? body);
      },
    })),
  },
];
