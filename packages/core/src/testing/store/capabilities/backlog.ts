import type { ReportStore, Store } from '../../../ports/store.js';
import { aCommit } from '../../records.js';
import { expectEqual } from '../expect.js';
import { storeDeliveries } from '../delivery-fixture.js';
import { at, eventOf, mustCommit, nextVersion, storeFixture, HELD } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

const NOTHING = { wakes: 0, charges: 0, deliveries: 0, oldestDeliveryAt: null, oldestHeldEventAt: null };

/** Waiting work is counted over all projects, up to a limit. */
export const backlogTests: StoreTests<Store & ReportStore> = {
  'counts the subscriptions that wake, and those of them whose next try has come': async ({ store }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const stored = (wakeAt: Date | null, nextTryAt: Date | null, among = fixture) =>
      among.aStoredSubscription({ wakeAt, nextTryAt });
    expectEqual(await store.countBacklog(at(100), 10), NOTHING, 'the backlog when nothing waits');
    await stored(at(100), at(100));
    await stored(at(99), at(200));
    await stored(at(98), null);
    await stored(at(97), at(97), elsewhere);
    await stored(at(101), at(90));
    await stored(null, at(1));
    expectEqual(await store.countBacklog(at(100), 10), { ...NOTHING, wakes: 4, charges: 2 }, 'the backlog');
  },

  'counts the pending deliveries, and finds the oldest, and that of held events': async ({ store }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    await storeDeliveries(store, fixture, fixture.endpoint, [null]);
    const other = await elsewhere.anotherEndpoint();
    await storeDeliveries(store, elsewhere, other, [at(1), at(10_000)]);
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, [at(2)]);
    const heldAt = at(7);
    await hold(store, fixture, heldAt);
    await hold(store, elsewhere, at(8));
    const oldestDeliveryAt = deliveries[0]?.createdAt ?? null;
    expectEqual(
      await store.countBacklog(at(0), 10),
      { ...NOTHING, deliveries: 3, oldestDeliveryAt, oldestHeldEventAt: heldAt },
      'the backlog',
    );
    await store.failDeliveries(fixture.endpoint.id, at(9));
    await store.failDeliveries(other.id, at(9));
    expectEqual(
      await store.countBacklog(at(0), 10),
      { ...NOTHING, oldestHeldEventAt: heldAt },
      'the backlog once no delivery is pending',
    );
  },

  'counts no more than the limit of what waits': async ({ store }) => {
    const fixture = await storeFixture(store);
    for (const ms of [1, 2, 3]) await fixture.aStoredSubscription({ wakeAt: at(ms), nextTryAt: at(ms) });
    await storeDeliveries(store, fixture, fixture.endpoint, [at(1), at(2), at(3)]);
    const { wakes, charges, deliveries } = await store.countBacklog(at(10), 2);
    expectEqual({ wakes, charges, deliveries }, { wakes: 2, charges: 2, deliveries: 2 }, 'the numbers');
  },
};

/** Stores a held event of this instant. */
async function hold(
  store: Store,
  fixture: Awaited<ReturnType<typeof storeFixture>>,
  createdAt: Date,
): Promise<void> {
  const subscription = await fixture.aStoredSubscription({ wakeAt: null });
  const next = nextVersion(subscription, { hasHeldEvents: true, lastSequence: 1 });
  const event = eventOf(next, 1, { ...HELD, createdAt });
  await mustCommit(store, aCommit(next, { events: [event] }));
}
