import type { Store } from '../../ports/store.js';
import type { Delivery, Endpoint } from '../../records/index.js';
import { expectThat } from '../expect-that.js';
import { aDelivery, anEvent, anId } from '../records.js';
import {
  afterFailure,
  afterSuccess,
  anotherEndpoint,
  claimed,
  onlyOf,
  storeDeliveries,
} from './delivery-fixture.js';
import { expectEqual, expectRejection } from './expect.js';
import { at, storeFixture } from './fixture.js';
import type { StoreTests } from './store-under-test.js';

/** Deliveries are added, sent again, tested and listed by whoever runs the service. */
export const deliveryByHandTests: StoreTests = {
  'inserts deliveries of events that have none to that endpoint': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), null]);
    const toEach = (endpoint: Endpoint) =>
      events.map(({ id, projectId }) => aDelivery({ projectId, eventId: id, endpointId: endpoint.id }));
    const [, second] = toEach(other);
    expectThat(second !== undefined, 'two new deliveries');
    await store.insertDeliveries([second]);
    const again = toEach(other);
    expectEqual(
      await store.insertDeliveries([...again, ...toEach(fixture.endpoint)]),
      [again[0]],
      'the inserted deliveries',
    );
    expectEqual(
      (await store.listDeliveries(events[0]?.id ?? anEvent().id)).map(({ id }) => id).sort(),
      [deliveries[0]?.id, again[0]?.id].sort(),
      'the deliveries of the first event',
    );
    await expectRejection(
      store.insertDeliveries([{ ...second, eventId: null, type: 'test' }]),
      'the promise of inserting a delivery whose id is taken',
    );
  },

  'makes deliveries due again, and begins their schedule anew': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [
      at(1),
      at(2),
      at(3),
    ]);
    const [first, second, third] = deliveries;
    expectThat(first !== undefined && second !== undefined && third !== undefined, 'three stored deliveries');
    const failed = afterFailure(first, at(90));
    const done = afterSuccess(second);
    await store.settleDeliveries([failed, done]);
    await store.failDeliveries(fixture.endpoint.id, at(5));
    const ids = events.map(({ id }) => id);
    expectEqual(
      await store.resendDeliveries(other.id, ids, ['failed'], at(7)),
      0,
      'those of another endpoint',
    );
    expectEqual(
      await store.resendDeliveries(fixture.endpoint.id, [], ['failed'], at(7)),
      0,
      'those of no event',
    );
    expectEqual(
      await store.resendDeliveries(fixture.endpoint.id, ids, ['failed'], at(7)),
      2,
      'those that failed',
    );
    const resent = { state: 'pending', nextAttemptAt: at(7), settledAt: null } as const;
    const { due } = await store.listDueDeliveries(fixture.endpoint.id, at(7), 9);
    expectEqual(
      due.map(({ delivery }) => delivery).sort((one, another) => one.attempts - another.attempts),
      [
        { ...third, ...resent, attemptsBefore: 0 },
        { ...failed.delivery, ...resent, attemptsBefore: 1 },
      ],
      'the deliveries that are due again',
    );
    expectEqual(
      await store.resendDeliveries(fixture.endpoint.id, ids, ['delivered', 'pending'], at(8)),
      3,
      'those that were delivered or are pending',
    );
  },

  'lists the tests of an endpoint, newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    await storeDeliveries(store, fixture, fixture.endpoint, [at(5)]);
    const test = (endpoint: Endpoint, createdAt: Date) =>
      aDelivery({
        projectId: fixture.project.id,
        eventId: null,
        endpointId: endpoint.id,
        type: 'test',
        nextAttemptAt: null,
        createdAt,
      });
    const tests = [at(1), at(5), at(9)].map((createdAt) => test(fixture.endpoint, createdAt));
    expectEqual(await store.insertDeliveries(tests), tests, 'the inserted tests');
    await store.insertDeliveries([test(other, at(7))]);
    expectEqual(
      await store.listTestDeliveries(fixture.endpoint.id, at(5)),
      [tests[2], tests[1]],
      'the tests since a date',
    );
    expectEqual(await claimed(store, at(4)), [], 'the endpoints that have due deliveries');
  },

  'fails the tests that are pending since before an instant, and no other deliveries': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const test = (endpoint: Endpoint, createdAt: Date, given: Partial<Delivery> = {}) =>
      aDelivery({
        projectId: fixture.project.id,
        eventId: null,
        endpointId: endpoint.id,
        type: 'test',
        nextAttemptAt: null,
        createdAt,
        ...given,
      });
    const [one, two] = [test(fixture.endpoint, at(1)), test(other, at(4))];
    const kept = [
      test(fixture.endpoint, at(5)),
      test(fixture.endpoint, at(2), { state: 'delivered', attempts: 1, settledAt: at(3) }),
    ];
    await store.insertDeliveries([one, two, ...kept]);
    const found = (rows: readonly Delivery[]) =>
      Promise.all(rows.map(({ id }) => store.findDelivery(fixture.project.id, id)));

    expectEqual(await store.failUnfinishedTests(at(5), 'never finished', at(9)), 2, 'how many it failed');
    const failed = { state: 'failed', lastExcerpt: 'never finished', settledAt: at(9) } as const;
    expectEqual(
      await found([one, two]),
      [
        { ...one, ...failed },
        { ...two, ...failed },
      ],
      'the tests that were never finished',
    );
    expectEqual(await found(kept), kept, 'a younger test and one that was delivered');
    expectEqual(await store.listDeliveries(onlyOf(events).id), deliveries, 'the delivery of an event');
    expectEqual(await store.failUnfinishedTests(at(5), 'again', at(10)), 0, 'how many it failed again');
  },

  'hastens the deliveries that wait by a clock that was ahead, and no others': async ({ store }) => {
    const fixture = await storeFixture(store);
    const dates = Array.from({ length: 4 }, () => at(1));
    const { events, deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, dates);
    const [unsent, ahead, waiting, again] = deliveries;
    expectThat(
      unsent !== undefined && ahead !== undefined && waiting !== undefined && again !== undefined,
      'four deliveries',
    );
    const failed = (delivery: Delivery, startedAt: Date) => {
      const result = afterFailure(delivery, at(900));
      return { ...result, attempt: { ...result.attempt, startedAt } };
    };
    const results = [failed(ahead, at(800)), failed(waiting, at(5)), failed(again, at(5))];
    await store.settleDeliveries(results);
    await store.postponeUnreadableDelivery(unsent.id, at(801));
    const resent = events.filter((_, place) => place === 3).map(({ id }) => id);
    await store.resendDeliveries(fixture.endpoint.id, resent, ['pending'], at(802));
    const hasten = async (after: Date, to: Date) =>
      (await store.hastenDeliveries(after, to, 9, null)).changed;
    expectEqual(await hasten(at(900), at(20)), 0, 'how many wait for a later date');
    expectEqual(await hasten(at(10), at(20)), 3, 'how many it hastened');
    const nextOf = async ({ id }: Delivery) =>
      (await store.findDelivery(fixture.project.id, id))?.nextAttemptAt;
    expectEqual(
      await Promise.all([unsent, ahead, waiting, again].map(nextOf)),
      [at(20), at(20), at(900), at(20)],
      'when the deliveries are due',
    );
    expectEqual(await hasten(at(30), at(40)), 0, 'how many it hastened again');
  },

  'hastens a batch of deliveries at a time, soonest first, and by id within one instant': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const { id: projectId } = fixture.project;
    const dates = [at(900), at(1), at(800), at(800), at(700)];
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, dates);
    const [last, retried, one, other, first] = deliveries;
    expectThat(
      last !== undefined &&
        retried !== undefined &&
        one !== undefined &&
        other !== undefined &&
        first !== undefined,
      'five deliveries',
    );
    const retry = afterFailure(retried, at(750));
    await store.settleDeliveries([{ ...retry, attempt: { ...retry.attempt, startedAt: at(5) } }]);
    const test = {
      eventId: null,
      endpointId: fixture.endpoint.id,
      type: 'test',
      nextAttemptAt: null,
    } as const;
    await store.insertDeliveries([aDelivery({ projectId, ...test })]);
    const [lower, higher] = one.id < other.id ? [one, other] : [other, one];
    const dueAt = () =>
      Promise.all(
        [first, retried, lower, higher, last].map(
          async ({ id }) => (await store.findDelivery(projectId, id))?.nextAttemptAt,
        ),
      );

    const batch = await store.hastenDeliveries(at(10), at(6), 3, null);
    expectEqual(batch, { changed: 2, next: { at: at(800), id: lower.id } }, 'the first batch of three');
    expectEqual(await dueAt(), [at(6), at(750), at(6), at(800), at(900)], 'when the deliveries are due then');
    const rest = await store.hastenDeliveries(at(11), at(7), 3, batch.next);
    expectEqual(rest, { changed: 2, next: null }, 'the batch after it');
    expectEqual(
      await dueAt(),
      [at(6), at(750), at(6), at(7), at(7)],
      'when the deliveries are due in the end',
    );
  },

  'finds a delivery in its project only': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { project: stranger } = await storeFixture(store);
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(1)]);
    const delivery = onlyOf(deliveries);
    expectEqual(await store.findDelivery(fixture.project.id, delivery.id), delivery, 'the delivery');
    expectEqual(await store.findDelivery(stranger.id, delivery.id), null, 'the delivery for another project');
    expectEqual(await store.findDelivery(fixture.project.id, anId('dlv')), null, 'an unknown delivery');
  },

  'lists the deliveries of a project by endpoint, event and state': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await anotherEndpoint(store, fixture);
    const one = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), null]);
    const two = await storeDeliveries(store, fixture, other, [null]);
    const stranger = await storeFixture(store);
    await storeDeliveries(store, stranger, stranger.endpoint, [at(1)]);
    const list = async (given: Partial<Parameters<Store['listProjectDeliveries']>[1]>) => {
      const page = await store.listProjectDeliveries(
        fixture.project.id,
        { endpointId: null, eventId: null, state: null, ...given },
        { limit: 10, startingAfter: null },
      );
      expectThat(page !== 'unknown_cursor', 'a first page');
      return page.data.map(({ id }) => id).sort();
    };
    const idsOfRows = (rows: readonly (Delivery | undefined)[]) =>
      rows.flatMap((row) => row?.id ?? []).sort();
    const all = [...one.deliveries, ...two.deliveries];
    expectEqual(await list({}), idsOfRows(all), 'all deliveries');
    expectEqual(await list({ endpointId: other.id }), idsOfRows(two.deliveries), 'those of an endpoint');
    expectEqual(
      await list({ eventId: one.events[1]?.id ?? null }),
      idsOfRows([one.deliveries[1]]),
      'those of an event',
    );
    expectEqual(await list({ state: 'pending' }), idsOfRows([one.deliveries[0]]), 'those that are pending');
    expectEqual(
      await list({ state: 'delivered', endpointId: fixture.endpoint.id }),
      idsOfRows([one.deliveries[1]]),
      'those of an endpoint that were delivered',
    );
  },
};
