import type { Store } from '../../../ports/store.js';
import {
  aCommit,
  aDeliveryAttempt,
  anApiKey,
  anAttempt,
  anEndpoint,
  aPlan,
  aProject,
  aTransfer,
} from '../../records.js';
import { dueOf, durabilityOf, LEASE_MS, reopened, storeDueRecords, type Writes } from '../durable.js';
import { expectEach, expectEqual } from '../../expect.js';
import { at, eventOf, mustCommit, nextVersion, subscriptionOf, deliveryOf, termsOf } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** Every method of the required tier that writes. */
const WRITES: Writes<Store> = {
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
  async insertApiKey(store, { project }) {
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    return (reopened) => reopened.findApiKey(key.hash);
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
    await store.claimPlanChecks(at(1), 1, LEASE_MS);
    return (reopened) => reopened.findPlan(plan.id);
  },
  async schedulePlanChecks(store, { plan }) {
    await store.schedulePlanChecks([plan.id], at(5));
    return (reopened) => reopened.findPlan(plan.id);
  },
  async wakeSubscribers(store, stored) {
    await store.wakeSubscribers(stored.plan.id, at(-1), 5);
    return (reopened) => subscriptionOf(reopened, stored.subscription);
  },
  async commit(store, stored) {
    const { subscription, project, endpoint } = stored;
    const subscriptionId = subscription.id;
    const event = eventOf(subscription, 2);
    const change = aCommit(nextVersion(subscription, { status: 'unpaid' }), {
      attempts: [anAttempt({ subscriptionId })],
      transfers: [aTransfer({ subscriptionId })],
      events: [event],
      deliveries: [deliveryOf(event, endpoint)],
      signedTerms: termsOf(subscription, 'signature'),
    });
    await mustCommit(store, change);
    return async (reopened) => [
      await subscriptionOf(reopened, stored.subscription),
      await reopened.listAttempts(subscriptionId, { limit: 9, startingAfter: null }),
      await reopened.listTransfers(subscriptionId, 9),
      await reopened.findEvent(project.id, event.id),
      await dueOf(reopened, stored),
    ];
  },
  async claimDue(store, stored) {
    await store.claimDue(at(5), 9, LEASE_MS);
    return (reopened) => subscriptionOf(reopened, stored.subscription);
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
    await store.claimEndpoints(at(5), claim, LEASE_MS);
    return (reopened) => reopened.claimEndpoints(at(LEASE_MS), claim, LEASE_MS);
  },
  async releaseEndpoint(store, { endpoint }) {
    const claim = { healthy: 9, failing: 9 };
    await store.claimEndpoints(at(5), claim, LEASE_MS);
    await store.releaseEndpoint(endpoint.id, at(5 + LEASE_MS));
    return async (reopened) => {
      const { claimed } = await reopened.claimEndpoints(at(5), claim, LEASE_MS);
      for (const { leasedUntil } of claimed) await reopened.releaseEndpoint(endpoint.id, leasedUntil);
      return claimed;
    };
  },
  async settleDeliveries(store, stored) {
    const { delivery } = stored;
    const settled = { state: 'delivered', attempts: 1, nextAttemptAt: null, settledAt: at(5) } as const;
    const attempt = aDeliveryAttempt({ deliveryId: delivery.id });
    await store.settleDeliveries([
      { delivery: { ...delivery, ...settled }, wasDueAt: delivery.nextAttemptAt, attempt },
    ]);
    return (reopened) => dueOf(reopened, stored);
  },
  async failDeliveries(store, stored) {
    await store.failDeliveries(stored.endpoint.id, at(5));
    return (reopened) => dueOf(reopened, stored);
  },
  async releaseEvents(store, { subscription }) {
    const held = { ...eventOf(subscription, 2), data: null, heldState: {} };
    await mustCommit(store, aCommit(nextVersion(subscription, { hasHeldEvents: true }), { events: [held] }));
    await store.releaseEvents(subscription.id, new Map([[held.id, { status: 'active' }]]), at(5));
    return (reopened) => reopened.findEvent(held.projectId, held.id);
  },
  async transaction(store, { project }) {
    const plans = [aPlan({ projectId: project.id }), aPlan({ projectId: project.id })];
    await store.transaction(async (operations) => {
      for (const plan of plans) await operations.insertPlan(plan);
    });
    return (reopened) => Promise.all(plans.map(({ id }) => reopened.findPlan(id)));
  },
};

/** Written data is there when the store is closed and opened again. */
export const durabilityTests: StoreTests = {
  ...durabilityOf(WRITES),

  'keeps nothing of a transaction that threw when it is closed and opened again': async (underTest) => {
    const { project } = await storeDueRecords(underTest.store);
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
    const { project, plan, subscription } = await storeDueRecords(underTest.store);
    const store = await reopened(underTest);
    await expectEach(
      [() => store.insertPlan(aPlan({ projectId: project.id, slug: plan.slug })), 'slug', 'a taken slug'],
      [() => store.commit([aCommit(subscription)]), 'lost', 'a commit of a stored version'],
    );
    await mustCommit(store, aCommit(nextVersion(subscription)));
  },
};
