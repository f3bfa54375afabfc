import type { Store } from '../../../ports/store.js';
import type { Delivery, EventId, Json, Subscription, SubscriptionEvent } from '../../../records/index.js';
import { aCommit } from '../../records.js';
import { expectEach, expectEqual } from '../../expect.js';
import {
  at,
  type Fixture,
  mustCommit,
  nextVersion,
  storeFixture,
  HELD,
  eventOf,
  deliveryOf,
} from '../fixture.js';
import type { RawReader, StoreTests } from '../store-under-test.js';

const SNAPSHOT: Json = { id: 'sub_1', status: 'active' };

interface Stored extends Fixture {
  readonly subscription: Subscription;
  readonly events: readonly SubscriptionEvent[];
  readonly deliveries: readonly Delivery[];
}

/** Stores a subscription with events of these kinds and their deliveries, which wait from a held one on. */
async function storeEvents(store: Store, kinds: readonly ('held' | 'whole')[]): Promise<Stored> {
  const fixture = await storeFixture(store);
  const subscription = fixture.aSubscription({ hasHeldEvents: true, lastSequence: kinds.length });
  const events = kinds.map((kind, place) =>
    eventOf(subscription, place + 1, { createdAt: at(place), ...(kind === 'held' ? HELD : {}) }),
  );
  const firstHeld = kinds.indexOf('held');
  const deliveries = events.map((event, place) =>
    deliveryOf(event, fixture.endpoint, { nextAttemptAt: place < firstHeld ? at(0) : null }),
  );
  await mustCommit(store, aCommit(subscription, { events, deliveries }));
  return { ...fixture, subscription, events, deliveries };
}

async function listed(store: Store, { project }: Fixture): Promise<readonly SubscriptionEvent[]> {
  const every = { type: null, subscriptionId: null };
  const page = await store.listEvents(project.id, at(0), every, { limit: 99, startingAfter: null });
  return page === 'unknown_cursor' ? [] : page.data;
}

/** When the delivery of each event is due, in milliseconds after `MADE_AT`; null while it waits. */
const dueOf = (raw: RawReader, { deliveries }: Stored) =>
  Promise.all(
    deliveries.map(async ({ id }) => {
      const dueAt = (await raw.delivery(id))?.nextAttemptAt ?? null;
      return dueAt === null ? null : dueAt - at(0).getTime();
    }),
  );

const snapshotsOf = (...events: readonly (SubscriptionEvent | undefined)[]): ReadonlyMap<EventId, Json> =>
  new Map(events.flatMap((event) => (event === undefined ? [] : [[event.id, SNAPSHOT] as const])));

const sequencesOf = (events: readonly SubscriptionEvent[]) => events.map(({ sequence }) => sequence);

/** An event whose snapshot could not be made is held until it is released. */
export const heldEventTests: StoreTests = {
  'neither finds, lists nor delivers held events, nor delivers later ones': async ({ store }) => {
    const stored = await storeEvents(store, ['whole', 'held', 'whole']);
    const [, held, later] = stored.events;
    await expectEach(
      [() => store.findEvent(stored.project.id, held?.id as never), null, 'a held event by its id'],
      [() => store.findEvent(stored.project.id, later?.id as never), later, 'a later event by its id'],
      [async () => sequencesOf(await listed(store, stored)), [3, 1], 'the sequences of the list'],
    );
    const { due } = await store.listDueDeliveries(stored.endpoint.id, at(9), 9, at(99));
    expectEqual(
      due.map(({ event }) => event.sequence),
      [1],
      'the sequences of the events that are due',
    );
  },

  'lists held events by subscription and sequence, in pages': async ({ store }) => {
    const one = await storeEvents(store, ['held', 'whole', 'held']);
    const two = await storeEvents(store, ['held']);
    const all = [...one.events, ...two.events]
      .filter(({ heldState }) => heldState !== null)
      .sort((a, b) =>
        a.subscriptionId === b.subscriptionId
          ? a.sequence - b.sequence
          : a.subscriptionId < b.subscriptionId
            ? -1
            : 1,
      );
    const list = async (limit: number, after: SubscriptionEvent | null) =>
      (await store.listHeldEvents(limit, after)).held;
    expectEqual(await list(9, null), all, 'every held event');
    expectEqual(await list(1, all[0] ?? null), all.slice(1, 2), 'the one after the first');
    const { next } = await store.listHeldEvents(2, null);
    expectEqual(next === null ? [] : (await store.listHeldEvents(9, next)).held, all.slice(2), 'later ones');
    expectEqual((await store.listHeldEvents(9, null)).next, null, 'the place after all of them');
    expectEqual(await list(9, all.at(-1) ?? null), [], 'those after the last');
  },

  'releases held events as the last written, and the deliveries behind them': async ({ store, raw }) => {
    const stored = await storeEvents(store, ['held', 'whole', 'held', 'whole', 'held']);
    const { subscription, project, events } = stored;
    const [first, , third, , fifth] = events;
    const foreign = await storeEvents(store, ['held']);
    const release = (snapshots: ReadonlyMap<EventId, Json>, ms: number) =>
      store.releaseEvents(subscription.id, snapshots, at(ms));

    expectEqual(await release(snapshotsOf(first, fifth, ...foreign.events), 20), 2, 'how many it released');
    expectEqual(sequencesOf(await listed(store, stored)), [5, 1, 4, 2], 'the sequences of the list');
    expectEqual(await dueOf(raw, stored), [20, 20, null, null, null], 'when the deliveries are due');
    const released = await store.findEvent(project.id, first?.id as never);
    expectEqual(released, { ...first, data: SNAPSHOT, heldState: null }, 'a released event');
    expectEqual((await store.listHeldEvents(9, null)).held.length, 2, 'how many events are still held');
    const after = await store.findSubscription(project.id, subscription.id);
    expectEqual(after, { ...subscription, version: 2 }, 'the subscription, which has a held event');

    expectEqual(await release(snapshotsOf(first, third), 30), 1, 'how many the second call released');
    expectEqual(sequencesOf(await listed(store, stored)), [3, 5, 1, 4, 2], 'the sequences of the list');
    expectEqual(await dueOf(raw, stored), [20, 20, 30, 30, 30], 'when the deliveries are due');
    expectEqual(
      (await store.findSubscription(project.id, subscription.id))?.hasHeldEvents,
      false,
      'whether the subscription has held events',
    );
    expectEqual(await dueOf(raw, foreign), [null], 'when that of another subscription is due');
    expectEqual(await release(snapshotsOf(first), 40), 0, 'how many the third call released');
    const { version } = (await store.findSubscription(project.id, subscription.id)) ?? {};
    expectEqual(version, 4, 'the version after a call that released none');
  },

  'refuses the commit of a version from before a release of events': async ({ store, peer }) => {
    const { subscription, events } = await storeEvents(store, ['held']);
    await peer.releaseEvents(subscription.id, snapshotsOf(...events), at(5));
    expectEqual(await store.commit([aCommit(nextVersion(subscription))]), 'lost', 'a past version');
  },
};
