import type { Store } from '../../ports/store.js';
import type { Delivery, Subscription, SubscriptionEvent } from '../../records/index.js';
import { expectThat } from '../expect-that.js';
import {
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  anApiKey,
  anAttempt,
  anEndpoint,
  aPlan,
  aProject,
  aSubscription,
  aTransfer,
} from '../records.js';
import { expectEqual } from './expect.js';
import type { StoreTests, StoreUnderTest } from './store-under-test.js';
import { at, eventOf, type Fixture, idsOf, mustCommit, nextVersion, storeFixture } from './fixture.js';

const LEASE = 60_000;

/** A stored subscription with a delivery, both due. */
interface Stored extends Fixture {
  readonly subscription: Subscription;
  readonly event: SubscriptionEvent;
  readonly delivery: Delivery;
}

/** Writes through the store by one of its methods, and returns the function that reads what was written. */
type Write = (store: Store, stored: Stored) => Promise<(store: Store) => Promise<unknown>>;

const subscriptionOf = (store: Store, { subscription: { projectId, id } }: Stored) =>
  store.findSubscription(projectId, id);

/**
 * Every method that writes. Each one is tested alone and last, because a store that forgets to save after one method
 * would save its write together with the next one.
 */
const WRITES: Readonly<Record<string, Write>> = {
  async claimChainIdentity(store) {
    await store.claimChainIdentity({ genesisHash: 'first', network: 'devnet', charger: 'first' });
    return (reopened) =>
      reopened.claimChainIdentity({ genesisHash: 'second', network: 'devnet', charger: 'second' });
  },
  async insertProject(store) {
    const project = aProject();
    await store.insertProject(project);
    return (reopened) => reopened.findProject(project.id);
  },
  async updateProject(store, { project }) {
    await store.updateProject({ ...project, tier: 'free', subscriberLimit: 7 });
    return (reopened) => reopened.findProject(project.id);
  },
  async insertApiKey(store, { project }) {
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    return (reopened) => reopened.findApiKey(key.hash);
  },
  async touchApiKey(store, { project }) {
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.touchApiKey(key.id, at(5));
    return async (reopened) => (await reopened.findApiKey(key.hash))?.key.lastUsedAt;
  },
  async revokeApiKey(store, { project }) {
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.revokeApiKey(key.id, at(5));
    return (reopened) => reopened.findApiKey(key.hash);
  },
  async expireApiKey(store, { project }) {
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.expireApiKey(key.id, at(5));
    return async (reopened) => (await reopened.findApiKey(key.hash))?.key.expiresAt;
  },
  async deleteProject(store) {
    const project = aProject();
    await store.insertProject(project);
    await store.deleteProject(project.id);
    return (reopened) => reopened.findProject(project.id);
  },
  async insertPlan(store, { project }) {
    const plan = aPlan({ projectId: project.id });
    await store.insertPlan(plan);
    return (reopened) => reopened.findPlan(plan.id);
  },
  async updatePlan(store, { plan }) {
    await store.updatePlan({ ...plan, version: 2, status: 'sunset' });
    return (reopened) => reopened.findPlan(plan.id);
  },
  async claimPlanChecks(store, { project }) {
    const plan = aPlan({ projectId: project.id, nextCheckAt: at(1) });
    await store.insertPlan(plan);
    await store.claimPlanChecks(at(1), 1, LEASE);
    return (reopened) => reopened.findPlan(plan.id);
  },
  async schedulePlanChecks(store, { plan }) {
    await store.schedulePlanChecks([plan.id], at(5));
    return (reopened) => reopened.findPlan(plan.id);
  },
  async wakeSubscribers(store, stored) {
    await store.wakeSubscribers(stored.plan.id, at(-1), 5);
    return (reopened) => subscriptionOf(reopened, stored);
  },
  async commit(store, stored) {
    const { subscription, project, endpoint } = stored;
    const subscriptionId = subscription.id;
    const event = eventOf(subscription, 2);
    const change = aCommit(nextVersion(subscription, { status: 'unpaid' }), {
      attempts: [anAttempt({ subscriptionId })],
      transfers: [aTransfer({ subscriptionId })],
      events: [event],
      deliveries: [aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id })],
      signedTerms: {
        subscriptionId,
        message: 'terms',
        signature: 'signature',
        envelope: null,
        signedAt: at(1),
      },
    });
    await mustCommit(store, change);
    return async (reopened) => [
      await subscriptionOf(reopened, stored),
      await reopened.listAttempts(subscriptionId, { limit: 9, startingAfter: null }),
      await reopened.listTransfers(subscriptionId, 9),
      await reopened.findEvent(project.id, event.id),
      await reopened.listDeliveries(event.id),
      await reopened.findSignedTerms(subscriptionId),
    ];
  },
  async claimDue(store, stored) {
    await store.claimDue(at(5), 9, LEASE);
    return (reopened) => subscriptionOf(reopened, stored);
  },
  async saveBodiesIfAbsent(store, { event, project }) {
    await store.saveBodiesIfAbsent([{ eventId: event.id, body: 'the body' }]);
    return (reopened) => reopened.findEvent(project.id, event.id);
  },
  async insertEndpoint(store, { project }) {
    const endpoint = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(endpoint);
    return (reopened) => reopened.findEndpoint(project.id, endpoint.id);
  },
  async updateEndpoint(store, { project, endpoint }) {
    await store.updateEndpoint({ ...endpoint, version: 2, enabled: false });
    return (reopened) => reopened.findEndpoint(project.id, endpoint.id);
  },
  async claimEndpoints(store) {
    const claim = { healthy: 9, failing: 9 };
    await store.claimEndpoints(at(5), claim, LEASE);
    return (reopened) => reopened.claimEndpoints(at(LEASE), claim, LEASE);
  },
  async releaseEndpoint(store, { endpoint }) {
    const claim = { healthy: 9, failing: 9 };
    await store.claimEndpoints(at(5), claim, LEASE);
    await store.releaseEndpoint(endpoint.id, at(5 + LEASE));
    return async (reopened) => {
      const { claimed } = await reopened.claimEndpoints(at(5), claim, LEASE);
      for (const { leasedUntil } of claimed) await reopened.releaseEndpoint(endpoint.id, leasedUntil);
      return claimed;
    };
  },
  async postponeUnreadableDelivery(store, { event, delivery }) {
    await store.postponeUnreadableDelivery(delivery.id, at(LEASE));
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async settleDeliveries(store, { event, delivery }) {
    const settled = { state: 'delivered', attempts: 1, nextAttemptAt: null, settledAt: at(5) } as const;
    const attempt = aDeliveryAttempt({ deliveryId: delivery.id });
    await store.settleDeliveries([
      { delivery: { ...delivery, ...settled }, wasDueAt: delivery.nextAttemptAt, attempt },
    ]);
    return async (reopened) => [
      await reopened.listDeliveries(event.id),
      await reopened.listDeliveryAttempts(delivery.id),
    ];
  },
  async insertDeliveries(store, { project, event }) {
    const endpoint = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(endpoint);
    await store.insertDeliveries([
      aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id }),
    ]);
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async resendDeliveries(store, { event, endpoint }) {
    await store.resendDeliveries(endpoint.id, [event.id], ['pending'], at(77));
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async failDeliveries(store, { event, endpoint }) {
    await store.failDeliveries(endpoint.id, at(5));
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async failUnfinishedTests(store, { project, endpoint }) {
    const of = { projectId: project.id, endpointId: endpoint.id };
    const test = aDelivery({ ...of, eventId: null, type: 'test', nextAttemptAt: null, createdAt: at(1) });
    await store.insertDeliveries([test]);
    await store.failUnfinishedTests(at(5), 'never finished', at(5));
    return (reopened) => reopened.findDelivery(project.id, test.id);
  },
  async hastenDeliveries(store, { event, delivery }) {
    await store.postponeUnreadableDelivery(delivery.id, at(LEASE));
    await store.hastenDeliveries(at(9), at(5), 9, null);
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async releaseEvents(store, { subscription }) {
    const held = { ...eventOf(subscription, 2), data: null, heldState: {} };
    await mustCommit(store, aCommit(nextVersion(subscription, { hasHeldEvents: true }), { events: [held] }));
    await store.releaseEvents(subscription.id, new Map([[held.id, { status: 'active' }]]), at(5));
    return (reopened) => reopened.findEvent(held.projectId, held.id);
  },
  async deleteEvents(store, { event, project, endpoint }) {
    await store.failDeliveries(endpoint.id, at(5));
    await store.deleteEvents(at(9), 9, null);
    return (reopened) => reopened.findEvent(project.id, event.id);
  },
  async deleteDeliveries(store, { event, endpoint }) {
    await store.failDeliveries(endpoint.id, at(5));
    await store.deleteDeliveries(at(9), 9, null);
    return (reopened) => reopened.listDeliveries(event.id);
  },
  async deleteExpiredCheckouts(store, stored) {
    const expired = aSubscription({ ...idsOf(stored), status: 'expired', lastEventAt: at(5) });
    await mustCommit(store, aCommit(expired));
    await store.deleteExpiredCheckouts(at(9), 9, null);
    return (reopened) => reopened.findSubscription(expired.projectId, expired.id);
  },
  async transaction(store, { project }) {
    const plans = [aPlan({ projectId: project.id }), aPlan({ projectId: project.id })];
    await store.transaction(async (operations) => {
      for (const plan of plans) await operations.insertPlan(plan);
    });
    return (reopened) => Promise.all(plans.map(({ id }) => reopened.findPlan(id)));
  },
};

/** Stores what every write needs: a subscription and a delivery that are both due. */
async function storeAll(store: Store): Promise<Stored> {
  const fixture = await storeFixture(store);
  const subscription = aSubscription({ ...idsOf(fixture), lastSequence: 1, wakeAt: at(1) });
  const event = eventOf(subscription, 1);
  const of = { projectId: fixture.project.id, eventId: event.id, endpointId: fixture.endpoint.id };
  const delivery = aDelivery({ ...of, nextAttemptAt: at(1) });
  await mustCommit(store, aCommit(subscription, { events: [event], deliveries: [delivery] }));
  return { ...fixture, subscription, event, delivery };
}

async function reopened(underTest: StoreUnderTest): Promise<Store> {
  const opened = await underTest.reopen?.();
  expectThat(
    opened !== undefined,
    'the harness to have `reopen`, which closes the store and opens its data again; a store that keeps nothing when it is closed is tested with { volatile: true }',
  );
  return opened;
}

/** What a method returned is durable: it is there when the store is closed and opened again. */
export const durabilityTests: StoreTests = {
  ...Object.fromEntries(
    Object.entries(WRITES).map(([method, write]) => [
      `keeps what ${method} wrote when it is closed and opened again`,
      async (underTest: StoreUnderTest) => {
        const read = await write(underTest.store, await storeAll(underTest.store));
        const before = await read(underTest.store);
        expectEqual(await read(await reopened(underTest)), before, `what ${method} wrote`);
      },
    ]),
  ),

  'keeps nothing of a transaction that threw when it is closed and opened again': async (underTest) => {
    const { project } = await storeAll(underTest.store);
    const plan = aPlan({ projectId: project.id });
    await underTest.store
      .transaction(async (operations) => {
        await operations.insertPlan(plan);
        throw new Error('the work failed');
      })
      .catch(() => undefined);
    const store = await reopened(underTest);
    expectEqual(await store.findPlan(plan.id), null, 'a plan that the transaction inserted');
    expectEqual(await store.findProject(project.id), project, 'a project stored before it');
  },

  'enforces its rules and its versions when it is closed and opened again': async (underTest) => {
    const { project, plan, subscription } = await storeAll(underTest.store);
    const store = await reopened(underTest);
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, slug: plan.slug })),
      'slug',
      'the result of inserting a plan with a taken slug',
    );
    expectEqual(
      await store.commit([aCommit(subscription)]),
      'lost',
      'the result of committing a version that is stored',
    );
    await mustCommit(store, aCommit(nextVersion(subscription)));
  },
};
