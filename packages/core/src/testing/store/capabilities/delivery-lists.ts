import type { PageRequest, ReportStore, Store } from '../../../ports/store.js';
import type { Delivery } from '../../../records/index.js';
import { expectThat } from '../../expect-that.js';
import { anId } from '../../records.js';
import { storeDeliveries } from '../delivery-fixture.js';
import { expectEqual } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import { created, INSTANTS, newestFirst, readAllPages } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

/** The deliveries of a project, in pages, and when the next one is due. */
export const deliveryListTests: StoreTests<Store & ReportStore> = {
  'lists the deliveries of a project by endpoint, event and state': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.anotherEndpoint();
    const one = await storeDeliveries(store, fixture, fixture.endpoint, [at(1), null]);
    const two = await storeDeliveries(store, fixture, other, [null]);
    const stranger = await storeFixture(store);
    await storeDeliveries(store, stranger, stranger.endpoint, [at(1)]);
    const list = async (given: Partial<Parameters<ReportStore['listProjectDeliveries']>[1]>) => {
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

  'neither repeats nor skips deliveries while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { project, endpoint } = fixture;
    const rows = INSTANTS.map((createdAt) => ({ createdAt }));
    const { deliveries } = await storeDeliveries(store, fixture, endpoint, rows);
    const read = (request: PageRequest<Delivery['id']>) =>
      store.listProjectDeliveries(
        project.id,
        { endpointId: endpoint.id, eventId: null, state: null },
        request,
      );
    const seen = await readAllPages(read, async () => {
      await storeDeliveries(peer, fixture, endpoint, [{ createdAt: at(1000) }]);
    });
    expectEqual(seen, newestFirst(deliveries, created), 'the deliveries stored before the first page');
    expectEqual(await read({ limit: 2, startingAfter: anId('dlv') }), 'unknown_cursor', 'an unknown cursor');
  },

  'returns the earliest nextAttemptAt of all pending deliveries': async ({ store }) => {
    const fixture = await storeFixture(store);
    expectEqual(await store.nextDeliveryAt(), null, 'the next delivery without deliveries');
    await storeDeliveries(store, fixture, fixture.endpoint, [at(8), at(4), null]);
    expectEqual(await store.nextDeliveryAt(), at(4), 'the next delivery of two pending ones');
  },
};
