import type { DuePlace, DueSubscriptions, ReportStore, Store, PageRequest } from '../../../ports/store.js';
import {
  SUBSCRIPTION_DUE_FIELDS,
  type DueSubscription,
  type Plan,
  type Subscription,
  type Delivery,
} from '../../../records/index.js';
import { aCommit, anId } from '../../records.js';
import { expectEach, expectEqual, expectThat } from '../../expect.js';
import { at, mustCommit, storeFixture, eventOf, nextVersion, HELD } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';
import { storeDeliveries } from '../delivery-fixture.js';
import { allParts, created, INSTANTS, newestFirst, readAllPages } from '../pages.js';

type Read = (after: DuePlace | null, limit: number) => Promise<DueSubscriptions>;

/** The subscriptions of a whole list, two at a time. `between` runs before every further read. */
const readAll = async (read: Read, between?: () => Promise<void>) =>
  (await allParts((after: DuePlace | null) => read(after, 2), between)).flatMap(({ due }) => due);

const idsIn = (due: DueSubscriptions['due']) => due.map(({ subscription }) => subscription.id);

/** The fields that a store must return: others are not compared. */
const dueFields = (subscription: DueSubscription) =>
  SUBSCRIPTION_DUE_FIELDS.map((field) => subscription[field]);

type DateOf = (row: Subscription) => Date | null;
const byNextTry: DateOf = ({ nextTryAt }) => nextTryAt;
const byDate = (rows: readonly Subscription[], dateOf: DateOf) =>
  rows
    .toSorted((a, b) => Number(dateOf(a)) - Number(dateOf(b)) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);

/** The next tries and ends of a project are listed soonest first. */
export const dueListTests: StoreTests<Store & ReportStore> = {
  'lists the running subscriptions of a project by their next try, soonest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const stored = (given: Partial<Subscription>) => fixture.aStoredSubscription(given);
    const automatic = { spent: 1, allowed: 3, waitMs: 60_000, nextAt: at(2) };
    const byHand = { count: 0, lastAt: null };
    const late = { periodStart: at(1), graceUntil: at(9), automatic, deadline: null, byHand, queuedAt: null };
    const cancellation = { confirmedAt: at(1), expiresAt: at(5), behind: false, lapse: null };
    const rows = [
      await stored({ nextTryAt: at(5), externalId: 'reader', email: 'reader@example.com' }),
      await stored({ nextTryAt: at(2), status: 'unpaid', late, pausedAt: at(1) }),
      await stored({ nextTryAt: at(5), status: 'cancelled', cancellation }),
      await stored({ nextTryAt: at(-5), termsSigned: false }),
    ];
    await stored({ nextTryAt: null });
    await stored({ nextTryAt: at(1), status: 'pending' });
    await stored({ nextTryAt: at(1), status: 'stopped' });
    await elsewhere.aStoredSubscription({ nextTryAt: at(1) });
    const read: Read = (after, limit) => store.listByNextTry(fixture.project.id, after, limit);
    const due = await readAll(read);
    expectEqual(idsIn(due), byDate(rows, byNextTry), 'those with a next try');
    for (const { subscription, plan } of due) {
      const row = rows.find(({ id }) => id === subscription.id) ?? subscription;
      expectEqual([dueFields(subscription), plan], [dueFields(row), fixture.plan], 'a listed one');
    }
    expectEqual((await read(null, 4)).next, null, 'the place after the last of them');
    const early = await store.listByNextTry(fixture.project.id, null, 2, at(5));
    expectEqual(
      [idsIn(early.due), early.next],
      [
        byDate(
          [rows[1], rows[3]].flatMap((row) => row ?? []),
          byNextTry,
        ),
        null,
      ],
      'those before a date',
    );
  },

  'lists the charged subscriptions of plans that end, by the end and then by id': async ({ store }) => {
    const fixture = await storeFixture(store);
    const plans: readonly Plan[] = [
      await fixture.aStoredPlan({ endsAt: at(7) }),
      await fixture.aStoredPlan({ endsAt: at(7) }),
      await fixture.aStoredPlan({ endsAt: at(3) }),
      await fixture.aStoredPlan({ endsAt: at(9) }),
    ];
    const rows: Subscription[] = [];
    for (const status of ['active', 'unpaid', 'active', 'cancelled', 'ended'] as const)
      for (const { id: planId } of plans.slice(0, 3)) {
        const row = await fixture.aStoredSubscription({ planId, status });
        if (status !== 'cancelled' && status !== 'ended') rows.push(row);
      }
    await fixture.aStoredSubscription();
    const endOf = ({ planId }: Subscription) => plans.find(({ id }) => id === planId)?.endsAt ?? null;
    const due = await readAll((after, limit) => store.listByPlanEnd(fixture.project.id, after, limit));
    expectEqual(idsIn(due), byDate(rows, endOf), 'the subscriptions by the ends of their plans');
    for (const { subscription, plan } of due) {
      const row = rows.find(({ id }) => id === subscription.id) ?? subscription;
      const planOfRow = plans.find(({ id }) => id === subscription.planId);
      expectEqual([dueFields(subscription), plan], [dueFields(row), planOfRow], 'a listed one');
    }
  },

  'neither repeats nor skips what comes next while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const due = (nextTryAt: Date) => fixture.aSubscription({ nextTryAt });
    const rows = INSTANTS.map(due);
    await mustCommit(store, ...rows.map((row) => aCommit(row)));
    const all = await readAll(
      (after, limit) => store.listByNextTry(fixture.project.id, after, limit),
      () => mustCommit(peer, aCommit(due(at(0)))),
    );
    expectEqual(idsIn(all), byDate(rows, byNextTry), 'those stored before it');
  },
};

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
    const idsOfRows = (rows: readonly Delivery[]) => rows.map(({ id }) => id).sort();
    const all = [...one.deliveries, ...two.deliveries];
    await expectEach(
      [() => list({}), idsOfRows(all), 'all deliveries'],
      [() => list({ endpointId: other.id }), idsOfRows(two.deliveries), 'those of an endpoint'],
      [() => list({ eventId: one.events[1].id }), idsOfRows([one.deliveries[1]]), 'those of an event'],
      [() => list({ state: 'pending' }), idsOfRows([one.deliveries[0]]), 'those that are pending'],
      [
        () => list({ state: 'delivered', endpointId: fixture.endpoint.id }),
        idsOfRows([one.deliveries[1]]),
        'both',
      ],
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
    const oldestDeliveryAt = deliveries[0].createdAt;
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
