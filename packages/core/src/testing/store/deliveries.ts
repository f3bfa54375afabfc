import type { Store } from '../../ports/store.js';
import type { Delivery, Endpoint, SubscriptionEvent } from '../../records/index.js';
import { aCommit, aDelivery, anEndpoint, anEvent, aSubscription } from '../records.js';
import { oneWinner, raced, refused, same } from './judge.js';
import type { Promises } from './subject.js';
import { at, aWorld, committed, of, type World } from './world.js';

const LEASE = 30_000;

async function delivered(
  store: Store,
  world: World,
  endpoint: Endpoint,
  dues: readonly (Date | null)[],
): Promise<{ events: SubscriptionEvent[]; deliveries: Delivery[] }> {
  const subscription = aSubscription({ ...of(world), lastSequence: dues.length });
  const events = dues.map((_, i) =>
    anEvent({ projectId: world.project.id, subscriptionId: subscription.id, sequence: i + 1 }),
  );
  const deliveries = events.map((event, i) =>
    aDelivery({
      projectId: world.project.id,
      eventId: event.id,
      endpointId: endpoint.id,
      nextAttemptAt: dues[i] ?? null,
      ...(dues[i] === null ? { state: 'delivered' as const, settledAt: at(0) } : {}),
    }),
  );
  await committed(store, aCommit(subscription, { events, deliveries }));
  return { events, deliveries };
}

async function anotherEndpoint(store: Store, { project }: World): Promise<Endpoint> {
  const endpoint = anEndpoint({ projectId: project.id });
  await store.insertEndpoint(endpoint);
  return endpoint;
}

/** Webhooks on their way: claims, what became of each, and bodies written once. */
export const deliveries: Promises = {
  'due deliveries are claimed soonest first with event and endpoint, and leased': async ({ store, raw }) => {
    const world = await aWorld(store);
    const { events, deliveries } = await delivered(store, world, world.endpoint, [at(5), at(1), at(9), null]);
    const claimed = await store.claimDeliveries(at(5), 10, 10, LEASE);
    const nextAttemptAt = at(5 + LEASE);
    same(
      claimed,
      [1, 0].map((i) => ({
        delivery: { ...deliveries[i], nextAttemptAt },
        event: events[i],
        endpoint: world.endpoint,
      })),
      'the claimed deliveries',
    );
    for (const { delivery } of claimed)
      same(
        await raw.delivery(delivery.id),
        { state: 'pending', attempts: 0, nextAttemptAt: nextAttemptAt.getTime() },
        'the stored delivery',
      );
    same(
      (await store.claimDeliveries(at(5 + LEASE - 1), 10, 10, LEASE)).map(({ delivery }) => delivery.id),
      [deliveries[2]?.id],
      'claims within the lease',
    );
    same((await store.claimDeliveries(nextAttemptAt, 10, 10, LEASE)).length, 2, 'claims at its end');
  },

  'an endpoint’s backlog leaves room for the others (deliveries#in-flight-limit-per-endpoint)': async ({ store }) => {
    const world = await aWorld(store);
    const quiet = await anotherEndpoint(store, world);
    await delivered(
      store,
      world,
      world.endpoint,
      Array.from({ length: 20 }, (_, i) => at(i)),
    );
    const { deliveries } = await delivered(store, world, quiet, [at(50)]);
    const claimed = await store.claimDeliveries(at(100), 5, 3, LEASE);
    same(
      claimed.map(({ endpoint }) => endpoint.id),
      [world.endpoint.id, world.endpoint.id, world.endpoint.id, quiet.id],
      'three of the busy one and the quiet one’s',
    );
    same(claimed[3]?.delivery.id, deliveries[0]?.id, 'the quiet one’s delivery');
    same((await store.claimDeliveries(at(100), 2, 3, LEASE)).length, 2, 'no more than the limit');
  },

  'of many senders at once each due delivery goes to exactly one': async (subject) => {
    const world = await aWorld(subject.store);
    const dues = Array.from({ length: 40 }, (_, i) => at(i));
    const { deliveries } = await delivered(subject.store, world, world.endpoint, dues);
    const claimed = await raced(subject, 12, (store) => store.claimDeliveries(at(100), 7, 5, LEASE));
    const ids = claimed.flat().map(({ delivery }) => delivery.id);
    same([...ids].sort(), deliveries.map(({ id }) => id).sort(), 'each once');
  },

  'of many outcomes of one attempt exactly one is written': async (subject) => {
    const world = await aWorld(subject.store);
    const { deliveries, events } = await delivered(subject.store, world, world.endpoint, [at(1)]);
    const [pending] = deliveries;
    if (pending === undefined) throw new Error('Broken: there is a delivery');
    const answers = await raced(subject, 8, (store, caller) =>
      store.settleDelivery({ ...pending, attempts: 1, nextAttemptAt: at(1000), lastStatus: 500 + caller }),
    );
    oneWinner(answers, 'settled', 'lost', 'outcomes of the first attempt');
    const done = {
      ...pending,
      attempts: 2,
      state: 'delivered',
      nextAttemptAt: null,
      settledAt: at(9),
    } as const;
    const { store, raw } = subject;
    same(await store.settleDelivery({ ...done, attempts: 3 }), 'lost', 'an attempt that skips one');
    same(await store.settleDelivery(done), 'settled', 'the second attempt');
    same(await store.settleDelivery({ ...done, attempts: 3 }), 'lost', 'an attempt after it was settled');
    same(await store.listDeliveries(events[0]?.id ?? pending.eventId), [done], 'the delivery');
    same(
      await raw.delivery(pending.id),
      { state: 'delivered', attempts: 2, nextAttemptAt: null },
      'the stored delivery',
    );
    same(await store.settleDelivery(aDelivery({ attempts: 1 })), 'lost', 'an unknown delivery');
  },

  'turning an endpoint off fails its pending deliveries only (deliveries#endpoint-failing-three-days)': async ({ store, raw }) => {
    const world = await aWorld(store);
    const other = await anotherEndpoint(store, world);
    const { deliveries, events } = await delivered(store, world, world.endpoint, [at(1), null, at(3)]);
    const kept = await delivered(store, world, other, [at(2)]);
    await store.failDeliveries(world.endpoint.id, at(7));
    const states = await Promise.all(deliveries.map(({ id }) => raw.delivery(id)));
    same(
      states.map((row) => [row?.state, row?.nextAttemptAt]),
      [
        ['failed', null],
        ['delivered', null],
        ['failed', null],
      ],
      'its deliveries',
    );
    const [first] = await store.listDeliveries(events[0]?.id ?? anEvent().id);
    same(first?.settledAt, at(7), 'when it failed');
    same(await store.nextDeliveryAt(), at(2), 'what is left to send');
    same((await store.listDeliveries(kept.events[0]?.id ?? anEvent().id)).length, 1, 'the other endpoint’s');
  },

  'the next delivery is the earliest that is pending': async ({ store }) => {
    const world = await aWorld(store);
    same(await store.nextDeliveryAt(), null, 'with none');
    await delivered(store, world, world.endpoint, [at(8), at(4), null]);
    same(await store.nextDeliveryAt(), at(4), 'with two pending');
  },

  'a body is written once, and every writer is told the one that stands': async (subject) => {
    const world = await aWorld(subject.store);
    const { events } = await delivered(subject.store, world, world.endpoint, [at(1)]);
    const [event] = events;
    if (event === undefined) throw new Error('Broken: there is an event');
    const told = await raced(subject, 8, (store, caller) => store.saveBodyIfAbsent(event.id, `body ${caller}`));
    same(new Set(told).size, 1, 'bodies told');
    same(await subject.store.saveBodyIfAbsent(event.id, 'another'), told[0], 'the body told later');
    same((await subject.raw.event(event.id))?.body, told[0], 'the stored body');
    await refused(subject.store.saveBodyIfAbsent(anEvent().id, 'body'), 'the body of an unknown event');
  },
};
