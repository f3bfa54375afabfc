import type { Store } from '../../ports/store.js';
import type { Delivery, Endpoint, SubscriptionEvent } from '../../records/index.js';
import { expectThat } from '../expect-that.js';
import { aCommit, aDelivery, anEndpoint, anEvent, aSubscription } from '../records.js';
import { expectEqual, expectOneWinner, expectRejection, race } from './expect.js';
import type { StoreTests } from './store-under-test.js';
import { at, type Fixture, idsOf, mustCommit, storeFixture } from './fixture.js';

const LEASE = 30_000;

/**
 * Commits one event per due date, each with a delivery to the endpoint. For a null date the delivery is settled.
 */
async function storeDeliveries(
  store: Store,
  fixture: Fixture,
  endpoint: Endpoint,
  dueDates: readonly (Date | null)[],
): Promise<{ events: SubscriptionEvent[]; deliveries: Delivery[] }> {
  const subscription = aSubscription({ ...idsOf(fixture), lastSequence: dueDates.length });
  const events = dueDates.map((_, i) =>
    anEvent({ projectId: fixture.project.id, subscriptionId: subscription.id, sequence: i + 1 }),
  );
  const deliveries = events.map((event, i) =>
    aDelivery({
      projectId: fixture.project.id,
      eventId: event.id,
      endpointId: endpoint.id,
      nextAttemptAt: dueDates[i] ?? null,
      ...(dueDates[i] === null ? { state: 'delivered' as const, settledAt: at(0) } : {}),
    }),
  );
  await mustCommit(store, aCommit(subscription, { events, deliveries }));
  return { events, deliveries };
}

async function anotherEndpoint(store: Store, { project }: Fixture): Promise<Endpoint> {
  const endpoint = anEndpoint({ projectId: project.id });
  await store.insertEndpoint(endpoint);
  return endpoint;
}

/** Deliveries are leased to one sender, settled once, and their event's body is written once. */
export const deliveryTests: StoreTests = {
  'claims due deliveries, soonest first, with event and endpoint, and leases them': async ({
    store,
    raw,
  }) => {
    const fixture = await storeFixture(store);
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(5),
      at(1),
      at(9),
      null,
    ]);
    const claimed = await store.claimDeliveries(at(5), 10, 10, LEASE);
    const nextAttemptAt = at(5 + LEASE);
    expectEqual(
      claimed,
      [1, 0].map((i) => ({
        delivery: { ...deliveries[i], nextAttemptAt },
        event: events[i],
        endpoint: fixture.endpoint,
      })),
      'the claimed deliveries',
    );
    for (const { delivery } of claimed)
      expectEqual(
        await raw.delivery(delivery.id),
        { state: 'pending', attempts: 0, nextAttemptAt: nextAttemptAt.getTime() },
        'the stored delivery',
      );
    expectEqual(
      (await store.claimDeliveries(at(5 + LEASE - 1), 10, 10, LEASE)).map(({ delivery }) => delivery.id),
      [deliveries[2]?.id],
      'the deliveries claimed within the lease',
    );
    expectEqual(
      (await store.claimDeliveries(nextAttemptAt, 10, 10, LEASE)).length,
      2,
      'the number of deliveries claimed at the end of the lease',
    );
  },

  'claims a limited number per endpoint, so that a backlog leaves room for other endpoints': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const idle = await anotherEndpoint(store, fixture);
    await storeDeliveries(
      store,
      fixture,
      fixture.endpoint,
      Array.from({ length: 20 }, (_, i) => at(i)),
    );
    const { deliveries } = await storeDeliveries(store, fixture, idle, [at(50)]);
    const claimed = await store.claimDeliveries(at(100), 5, 3, LEASE);
    expectEqual(
      claimed.map(({ endpoint }) => endpoint.id),
      [fixture.endpoint.id, fixture.endpoint.id, fixture.endpoint.id, idle.id],
      'the endpoints of the claimed deliveries',
    );
    expectEqual(claimed[3]?.delivery.id, deliveries[0]?.id, 'the delivery to the endpoint without a backlog');
    expectEqual(
      (await store.claimDeliveries(at(100), 2, 3, LEASE)).length,
      2,
      'the number claimed with a limit of 2',
    );
  },

  'gives each due delivery to exactly one of many racing senders': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const dueDates = Array.from({ length: 40 }, (_, i) => at(i));
    const { deliveries } = await storeDeliveries(underTest.store, fixture, fixture.endpoint, dueDates);
    const claimed = await race(underTest, 12, (store) => store.claimDeliveries(at(100), 7, 5, LEASE));
    const ids = claimed.flat().map(({ delivery }) => delivery.id);
    expectEqual([...ids].sort(), deliveries.map(({ id }) => id).sort(), 'the claimed ids');
  },

  'stores exactly one of many racing results of one attempt': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const { deliveries, events } = await storeDeliveries(underTest.store, fixture, fixture.endpoint, [at(1)]);
    const [pending] = deliveries;
    expectThat(pending !== undefined, 'a stored delivery');
    const results = await race(underTest, 8, (store, caller) =>
      store.settleDelivery({ ...pending, attempts: 1, nextAttemptAt: at(1000), lastStatus: 500 + caller }),
    );
    expectOneWinner(results, 'settled', 'lost', 'results of the first attempt');
    const done = {
      ...pending,
      attempts: 2,
      state: 'delivered',
      nextAttemptAt: null,
      settledAt: at(9),
    } as const;
    const { store, raw } = underTest;
    expectEqual(
      await store.settleDelivery({ ...done, attempts: 3 }),
      'lost',
      'the result of settling an attempt that skips one',
    );
    expectEqual(await store.settleDelivery(done), 'settled', 'the result of settling the second attempt');
    expectEqual(
      await store.settleDelivery({ ...done, attempts: 3 }),
      'lost',
      'the result of settling a delivered delivery',
    );
    expectEqual(
      await store.listDeliveries(events[0]?.id ?? pending.eventId),
      [done],
      'the deliveries of the event',
    );
    expectEqual(
      await raw.delivery(pending.id),
      { state: 'delivered', attempts: 2, nextAttemptAt: null },
      'the stored delivery',
    );
    expectEqual(
      await store.settleDelivery(aDelivery({ attempts: 1 })),
      'lost',
      'the result of settling an unknown delivery',
    );
  },

  'fails the pending deliveries of an endpoint, and no others': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    const { deliveries, events } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(1),
      null,
      at(3),
    ]);
    const kept = await storeDeliveries(store, fixture, other, [at(2)]);
    await store.failDeliveries(fixture.endpoint.id, at(7));
    const states = await Promise.all(deliveries.map(({ id }) => raw.delivery(id)));
    expectEqual(
      states.map((row) => [row?.state, row?.nextAttemptAt]),
      [
        ['failed', null],
        ['delivered', null],
        ['failed', null],
      ],
      'the states of the endpoint’s deliveries',
    );
    const [first] = await store.listDeliveries(events[0]?.id ?? anEvent().id);
    expectEqual(first?.settledAt, at(7), 'settledAt of a failed delivery');
    expectEqual(await store.nextDeliveryAt(), at(2), 'the next delivery, which is the other endpoint’s');
    expectEqual(
      (await store.listDeliveries(kept.events[0]?.id ?? anEvent().id)).length,
      1,
      'the number of deliveries to the other endpoint',
    );
  },

  'returns the earliest nextAttemptAt of all pending deliveries': async ({ store }) => {
    const fixture = await storeFixture(store);
    expectEqual(await store.nextDeliveryAt(), null, 'the next delivery without deliveries');
    await storeDeliveries(store, fixture, fixture.endpoint, [at(8), at(4), null]);
    expectEqual(await store.nextDeliveryAt(), at(4), 'the next delivery of two pending ones');
  },

  'writes a body once, and returns the stored one to every racing writer': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const { events } = await storeDeliveries(underTest.store, fixture, fixture.endpoint, [at(1)]);
    const [event] = events;
    expectThat(event !== undefined, 'a stored event');
    const returned = await race(underTest, 8, (store, caller) =>
      store.saveBodyIfAbsent(event.id, `body ${caller}`),
    );
    expectEqual(new Set(returned).size, 1, 'the number of different bodies returned');
    expectEqual(
      await underTest.store.saveBodyIfAbsent(event.id, 'another'),
      returned[0],
      'the body returned to a later writer',
    );
    expectEqual((await underTest.raw.event(event.id))?.body, returned[0], 'the stored body');
    await expectRejection(
      underTest.store.saveBodyIfAbsent(anEvent().id, 'body'),
      'the promise of saving the body of an unknown event',
    );
  },
};
