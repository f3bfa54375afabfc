import type { ManagementStore, Store } from '../../../ports/store.js';
import type { Delivery, Endpoint } from '../../../records/index.js';
import { expectThat, expectEach, expectEqual, expectRejection } from '../../expect.js';
import { aCommit, aDelivery, anEndpoint, anId } from '../../records.js';
import { afterFailure, afterSuccess, claimed, storeDeliveries } from '../delivery-fixture.js';
import { at, mustCommit, storeFixture, HELD, eventOf, deliveryOf } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** A pending test of an endpoint. */
const aTest = ({ projectId, id: endpointId }: Endpoint, createdAt: Date, given: Partial<Delivery> = {}) =>
  aDelivery({ projectId, endpointId, eventId: null, type: 'test', nextAttemptAt: null, createdAt, ...given });

/** Operators add, send again, test and list deliveries. */
export const deliveryByHandTests: StoreTests<Store & ManagementStore> = {
  'inserts deliveries of events that have none to that endpoint': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), null]);
    const toEach = (endpoint: Endpoint) => events.map((event) => deliveryOf(event, endpoint));
    const [, second] = toEach(other);
    expectThat(second !== undefined, 'two new deliveries');
    await store.insertDeliveries([second]);
    const again = toEach(other);
    await expectEach(
      [() => store.insertDeliveries([...again, ...toEach(fixture.endpoint)]), [again[0]], 'those inserted'],
      [
        async () => (await store.listDeliveries(events[0].id)).map(({ id }) => id).sort(),
        [deliveries[0].id, again[0]?.id].sort(),
        'those of the first event',
      ],
    );
    await expectRejection(
      store.insertDeliveries([{ ...second, eventId: null, type: 'test' }]),
      'a delivery whose id is taken',
    );
  },

  'makes deliveries due again, and begins their schedule anew': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(1),
      at(2),
      at(3),
    ]);
    const [first, second, third] = deliveries;
    const failed = afterFailure(first, at(90));
    const done = afterSuccess(second);
    await store.settleDeliveries([failed, done]);
    await store.failDeliveries(fixture.endpoint.id, at(5));
    const ids = events.map(({ id }) => id);
    await expectEach(
      [() => store.resendDeliveries(other.id, ids, ['failed'], at(7)), 0, 'those of another'],
      [() => store.resendDeliveries(fixture.endpoint.id, [], ['failed'], at(7)), 0, 'those of no event'],
      [() => store.resendDeliveries(fixture.endpoint.id, ids, ['failed'], at(7)), 2, 'those that failed'],
    );
    const resent = { state: 'pending', nextAttemptAt: at(7), settledAt: null } as const;
    const { due } = await store.listDueDeliveries(fixture.endpoint.id, at(7), 9, at(99));
    expectEqual(
      due.map(({ delivery }) => delivery).sort((one, another) => one.attempts - another.attempts),
      [
        { ...third, ...resent, attemptsBefore: 0 },
        { ...failed.delivery, ...resent, attemptsBefore: 1 },
      ],
      'those due again',
    );
    expectEqual(
      await store.resendDeliveries(fixture.endpoint.id, ids, ['delivered', 'pending'], at(8)),
      3,
      'those that were delivered or are pending',
    );
  },

  'lists the tests of an endpoint, newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    await storeDeliveries(store, fixture, fixture.endpoint, [at(5)]);
    const tests = [at(1), at(5), at(9)].map((createdAt) => aTest(fixture.endpoint, createdAt));
    expectEqual(await store.insertDeliveries(tests), tests, 'the inserted tests');
    await store.insertDeliveries([aTest(other, at(7))]);
    await expectEach(
      [() => store.listTestDeliveries(fixture.endpoint.id, at(5)), [tests[2], tests[1]], 'the tests'],
      [() => claimed(store, at(4)), [], 'the endpoints that have due deliveries'],
    );
  },

  'fails the tests that are pending since before an instant, and no other deliveries': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const [one, two] = [aTest(fixture.endpoint, at(1)), aTest(other, at(4))];
    const others = [
      aTest(fixture.endpoint, at(5)),
      aTest(fixture.endpoint, at(2), { state: 'delivered', attempts: 1, settledAt: at(3) }),
    ];
    await store.insertDeliveries([one, two, ...others]);
    const stored = (rows: readonly Delivery[]) =>
      Promise.all(rows.map(({ id }) => store.findDelivery(fixture.project.id, id)));

    expectEqual(await store.failUnfinishedTests(at(5), 'never finished', at(9)), 2, 'how many it failed');
    const failed = { state: 'failed', lastExcerpt: 'never finished', settledAt: at(9) } as const;
    expectEqual(
      await stored([one, two]),
      [
        { ...one, ...failed },
        { ...two, ...failed },
      ],
      'the tests that were never finished',
    );
    expectEqual(await stored(others), others, 'a younger test and one that was delivered');
    expectEqual(await store.listDeliveries(events[0].id), deliveries, 'the delivery of an event');
    expectEqual(await store.failUnfinishedTests(at(5), 'again', at(10)), 0, 'how many it failed again');
  },

  'finds a delivery in its project only': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { project: stranger } = await storeFixture(store);
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const [delivery] = deliveries;
    expectEqual(await store.findDelivery(fixture.project.id, delivery.id), delivery, 'the delivery');
    expectEqual(await store.findDelivery(stranger.id, delivery.id), null, 'the delivery for another project');
    expectEqual(await store.findDelivery(fixture.project.id, anId('dlv')), null, 'an unknown delivery');
  },

  'keeps every attempt of a delivery, the first one first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), at(1)]);
    const [delivery, other] = deliveries;
    const first = afterFailure(delivery, at(60));
    const second = afterSuccess(first.delivery);
    const foreign = afterSuccess(other);
    await store.settleDeliveries([first, foreign]);
    await store.settleDeliveries([second]);
    await expectEach(
      [() => store.listDeliveryAttempts(delivery.id), [first.attempt, second.attempt], 'its attempts'],
      [() => store.listDeliveryAttempts(other.id), [foreign.attempt], 'those of the other one'],
    );
  },

  'lists the deliveries of an event newest first, and by id within one instant': async ({ store }) => {
    const fixture = await storeFixture(store);
    const projectId = fixture.project.id;
    const subscription = fixture.aSubscription({ lastSequence: 1 });
    const event = eventOf(subscription, 1);
    const deliveries = [];
    for (const createdAt of [2, 9, 2, 1].map(at)) {
      const endpoint = anEndpoint({ projectId });
      await store.insertEndpoint(endpoint);
      deliveries.push(deliveryOf(event, endpoint, { createdAt }));
    }
    await mustCommit(store, aCommit(subscription, { events: [event], deliveries }));
    expectEqual(
      await store.listDeliveries(event.id),
      deliveries.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)),
      'the deliveries of the event',
    );
  },

  'sends again no delivery that waits for a held event': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription({ lastSequence: 2, hasHeldEvents: true });
    const events = [eventOf(subscription, 1), eventOf(subscription, 2, HELD)];
    const deliveries = events.map((event) =>
      deliveryOf(event, fixture.endpoint, { nextAttemptAt: event.heldState === null ? at(0) : null }),
    );
    await mustCommit(store, aCommit(subscription, { events, deliveries }));
    const ids = events.map(({ id }) => id);
    expectEqual(
      await store.resendDeliveries(fixture.endpoint.id, ids, ['pending', 'delivered', 'failed'], at(9)),
      1,
      'how many can be sent',
    );
    expectEqual(
      (await store.findDelivery(fixture.project.id, deliveries[1]?.id ?? anId('dlv')))?.nextAttemptAt,
      null,
      'when the one that waits is due',
    );
  },

  'reads a settled delivery as it was written': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      {
        state: 'failed',
        attempts: 11,
        attemptsBefore: 7,
        nextAttemptAt: null,
        settledAt: at(8),
        lastStatus: 503,
        lastExcerpt: 'Zoë ☕ "\\',
      },
    ]);
    const rows = await store.listDeliveries(events[0].id);
    expectEqual(rows, deliveries, 'the deliveries of the event');
  },
};
