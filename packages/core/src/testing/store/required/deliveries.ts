import { expectThat, expectEach, expectEqual, expectRejection } from '../../expect.js';
import { aDelivery, anEvent, anId } from '../../records.js';
import type { DeliveryId } from '../../../records/index.js';
import { afterFailure, afterSuccess, claimed, LEASE, LIMITS, storeDeliveries } from '../delivery-fixture.js';
import { expectOneWinner, race } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** An endpoint has one sender at a time, a delivery is settled once, and a body is written once. */
export const deliveryTests: StoreTests = {
  'claims endpoints with due deliveries, soonest first, and leases them': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const [second, idle, settled] = [
      await fixture.anotherEndpoint(),
      await fixture.anotherEndpoint(),
      await fixture.anotherEndpoint(),
    ];
    await storeDeliveries(store, fixture, fixture.endpoint, [at(5), at(9)]);
    await storeDeliveries(store, fixture, second, [at(1), null]);
    await storeDeliveries(store, fixture, idle, [at(6)]);
    await storeDeliveries(store, fixture, settled, [null]);
    const { claimed: first, unreadable } = await store.claimEndpoints(at(5), LIMITS, LEASE);
    expectEqual(
      first,
      [second, fixture.endpoint].map((endpoint) => ({ endpoint, leasedUntil: at(5 + LEASE) })),
      'the claimed endpoints',
    );
    expectEqual(unreadable, [], 'the endpoints that cannot be read');
    await expectEach(
      [() => claimed(peer, at(5 + LEASE - 1)), [idle.id], 'those claimed within the lease'],
      [() => claimed(peer, at(5 + LEASE)), [second.id, fixture.endpoint.id], 'those claimed at its end'],
      [() => store.findEndpoint(fixture.project.id, second.id), second, 'a claimed endpoint'],
    );
  },

  'claims endpoints that a clock which was ahead leased': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { id } = fixture.endpoint;
    await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    // Clocks that differ by no more than a lease are right.
    const ahead = 5 + LEASE;
    await expectEach(
      [() => claimed(store, at(ahead)), [id], 'those a clock claims that is ahead by a lease'],
      [() => claimed(peer, at(5)), [], 'those it claims meanwhile'],
      [() => claimed(peer, at(4)), [id], 'those a clock claims that is further behind'],
      [() => claimed(store, at(5)), [], 'those claimed within that lease'],
    );
  },

  'claims a limited number of endpoints that fail, and of others': async ({ store }) => {
    const fixture = await storeFixture(store);
    const failing = await Promise.all([1, 2].map(() => fixture.anotherEndpoint({ failingSince: at(0) })));
    const healthy = [fixture.endpoint, await fixture.anotherEndpoint()];
    for (const [place, endpoint] of [...failing, ...healthy].entries())
      await storeDeliveries(store, fixture, endpoint, [at(place)]);
    await expectEach(
      [() => claimed(store, at(9), { healthy: 1, failing: 1 }), [failing[0]?.id, healthy[0]?.id], 'one each'],
      [() => claimed(store, at(9), { healthy: 0, failing: 5 }), [failing[1]?.id], 'failing ones'],
      [() => claimed(store, at(9), { healthy: 5, failing: 0 }), [healthy[1]?.id], 'others'],
    );
  },

  'claims disabled and deleted endpoints, whose deliveries are to fail': async ({ store }) => {
    const fixture = await storeFixture(store);
    const disabled = await fixture.anotherEndpoint({ enabled: false });
    const deleted = await fixture.anotherEndpoint({ enabled: false, deletedAt: at(1) });
    await storeDeliveries(store, fixture, disabled, [at(1)]);
    await storeDeliveries(store, fixture, deleted, [at(2)]);
    expectEqual(await claimed(store, at(5)), [disabled.id, deleted.id], 'the claimed endpoints');
  },

  'gives each endpoint to exactly one of many racing senders': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const endpoints = await Promise.all(Array.from({ length: 20 }, () => fixture.anotherEndpoint()));
    for (const endpoint of endpoints) await storeDeliveries(underTest.store, fixture, endpoint, [at(1)]);
    const claims = await race(underTest, 12, (store) => claimed(store, at(5), { healthy: 4, failing: 4 }));
    expectEqual([...claims.flat()].sort(), endpoints.map(({ id }) => id).sort(), 'the claimed endpoints');
  },

  'ends a lease for the sender that holds it, and for no other': async ({ store }) => {
    const fixture = await storeFixture(store);
    await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const { id } = fixture.endpoint;
    const [lease] = (await store.claimEndpoints(at(1), LIMITS, LEASE)).claimed;
    await store.claimEndpoints(at(1 + LEASE), LIMITS, LEASE);
    await store.releaseEndpoint(id, lease?.leasedUntil ?? at(0));
    expectEqual(await claimed(store, at(2 + LEASE)), [], 'those after the first sender let go');
    await store.releaseEndpoint(id, at(1 + 2 * LEASE));
    expectEqual(await claimed(store, at(2 + LEASE)), [id], 'those after the second sender let go');
    await store.releaseEndpoint(anId('whe'), at(5));
  },

  'returns the due deliveries of an endpoint, soonest first, with their events': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(5),
      at(1),
      at(9),
      null,
      // The one with the lower id is written last.
      { nextAttemptAt: at(3), id: 'dlv_2' as DeliveryId },
      { nextAttemptAt: at(3), id: 'dlv_1' as DeliveryId },
    ]);
    await storeDeliveries(store, fixture, other, [at(2)]);
    const due = async (now: Date, limit: number) =>
      (await store.listDueDeliveries(fixture.endpoint.id, now, limit, at(9000))).due;
    expectEqual(
      await due(at(5), 10),
      [1, 5, 4, 0].map((place) => ({ delivery: deliveries[place], event: events[place] })),
      'the due deliveries',
    );
    expectEqual(
      (await due(at(9), 2)).map(({ delivery }) => delivery.id),
      [deliveries[1].id, deliveries[5].id],
      'the first two due deliveries',
    );
  },

  'stores exactly one of many racing results of one attempt': async (underTest) => {
    const { store, raw } = underTest;
    const fixture = await storeFixture(store);
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const [pending] = deliveries;
    const results = await race(underTest, 8, (peer, caller) =>
      peer.settleDeliveries([afterFailure(pending, at(1000), 500 + caller)]),
    );
    expectOneWinner(results.flat(), 'settled', 'lost', 'results of the first attempt');
    const [once] = (await store.listDueDeliveries(fixture.endpoint.id, at(1000), 9, at(9000))).due;
    expectThat(once !== undefined, 'the delivery of the event');
    const second = afterSuccess(once.delivery);
    const skipping = { ...second, delivery: { ...second.delivery, attempts: 3 } };
    const elsewhere = { ...second, wasDueAt: at(999) };
    await expectEach(
      [
        () => store.settleDeliveries([skipping, elsewhere, second, afterSuccess(second.delivery), second]),
        ['lost', 'lost', 'settled', 'lost', 'lost'],
        'the results of an attempt that skips one, one that was due at another time, the next one, and two of a settled delivery',
      ],
      [() => raw.delivery(pending.id), { state: 'delivered', attempts: 2, nextAttemptAt: null }, 'the row'],
      [() => store.settleDeliveries([afterFailure(aDelivery(), at(1))]), ['lost'], 'an unknown one'],
    );
  },

  'fails the pending deliveries of an endpoint, and no others': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(1),
      null,
      at(3),
      // The delivery waits for its event, which is held.
      { nextAttemptAt: null },
    ]);
    const others = await storeDeliveries(store, fixture, other, [at(2)]);
    expectEqual(await store.failDeliveries(fixture.endpoint.id, at(7)), 3, 'how many deliveries it failed');
    const states = await Promise.all(deliveries.map(({ id }) => raw.delivery(id)));
    expectEqual(
      states.map((row) => [row?.state, row?.nextAttemptAt]),
      [
        ['failed', null],
        ['delivered', null],
        ['failed', null],
        ['failed', null],
      ],
      'the states of the endpoint’s deliveries',
    );
    expectEqual(
      await raw.delivery(others.deliveries[0].id),
      { state: 'pending', attempts: 0, nextAttemptAt: at(2).getTime() },
      'the delivery to the other endpoint',
    );
    expectEqual(await claimed(store, at(9)), [other.id], 'the endpoints that have due deliveries');
  },

  'writes a body once, and returns the stored one to every racing writer': async (underTest) => {
    const { store, raw } = underTest;
    const fixture = await storeFixture(store);
    const { events } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), at(1), at(1)]);
    const [event, second, third] = events;
    const returned = await race(underTest, 8, (peer, caller) =>
      peer.saveBodiesIfAbsent([{ eventId: event.id, body: `body ${caller}` }]),
    );
    expectEqual(new Set(returned.flat()).size, 1, 'the number of different bodies returned');
    expectEqual(
      await store.saveBodiesIfAbsent([
        { eventId: second.id, body: 'of the second' },
        { eventId: event.id, body: 'another' },
        { eventId: third.id, body: 'of the third' },
      ]),
      ['of the second', returned[0]?.[0], 'of the third'],
      'the bodies returned to a later writer',
    );
    const stored = await Promise.all(events.map(({ id }) => raw.event(id)));
    expectEqual(
      stored.map((row) => row?.body),
      [returned[0]?.[0], 'of the second', 'of the third'],
      'the stored bodies',
    );
    await expectRejection(
      store.saveBodiesIfAbsent([{ eventId: anEvent().id, body: 'body' }]),
      'the body of an unknown event',
    );
  },
};
