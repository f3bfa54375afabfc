import { aCommit, aDelivery, anEvent, aSubscription } from '../records.js';
import { expectEqual } from './expect.js';
import { at, idsOf, mustCommit, storeFixture } from './fixture.js';
import type { StoreTests } from './store-under-test.js';

/** An operator reads reports of a whole project, and everything of one subscription. */
export const reportTests: StoreTests = {
  'counts the held events of a subscription': async ({ store }) => {
    const fixture = await storeFixture(store);
    const projectId = fixture.project.id;
    const [one, two] = [aSubscription(idsOf(fixture)), aSubscription(idsOf(fixture))];
    const held = (subscriptionId: typeof one.id, sequence: number) =>
      anEvent({ projectId, subscriptionId, sequence, data: null, heldState: { of: sequence } });
    await mustCommit(
      store,
      aCommit(one, {
        events: [
          anEvent({ projectId, subscriptionId: one.id, sequence: 1 }),
          held(one.id, 2),
          held(one.id, 3),
        ],
      }),
      aCommit(two, { events: [held(two.id, 1)] }),
    );
    expectEqual(await store.countHeldEvents(one.id), 2, 'how many events of the subscription are held');
    await store.releaseEvents(
      one.id,
      new Map((await store.listHeldEvents(9, null)).held.map(({ id }) => [id, {}])),
      at(1),
    );
    expectEqual(await store.countHeldEvents(one.id), 0, 'how many are held once they are released');
  },

  'lists the newest deliveries of a subscription’s events, at most the limit': async ({ store }) => {
    const fixture = await storeFixture(store);
    const projectId = fixture.project.id;
    const rows = [aSubscription(idsOf(fixture)), aSubscription(idsOf(fixture))].map((subscription, place) => {
      const events = [1, 2, 3, 4].map((sequence) =>
        anEvent({ projectId, subscriptionId: subscription.id, sequence }),
      );
      // A delivery of an older event may be the newer one, because it was sent again later.
      const deliveries = [9, 2, 2, 5].map((ms, index) =>
        aDelivery({
          ...{ projectId, endpointId: fixture.endpoint.id, createdAt: at(ms + place) },
          ...(events[index] === undefined ? {} : { eventId: events[index].id }),
        }),
      );
      return { subscription, events, deliveries };
    });
    await mustCommit(
      store,
      ...rows.map(({ subscription, events, deliveries }) => aCommit(subscription, { events, deliveries })),
    );
    const [first] = rows;
    const newest = (first?.deliveries ?? []).toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
    );
    const list = (limit: number) => store.listSubscriptionDeliveries(first?.subscription.id as never, limit);
    expectEqual(await list(9), newest, 'the deliveries of the subscription');
    expectEqual(await list(3), newest.slice(0, 3), 'the three newest of them');
  },
};
