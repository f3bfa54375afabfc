import type { Commit } from '../../ports/store.js';
import { aCommit, aDelivery, anEndpoint, anEvent, aProject, aSubscription, aTransfer } from '../records.js';
import { expectEqual } from './expect.js';
import type { StoreTests } from './store-under-test.js';
import { aStoredPlan, at, idsOf, mustCommit, storeFixture } from './fixture.js';

/** Instants of four rows in the order in which they are written. Two are equal, so that their ids decide. */
const INSTANTS = [2, 9, 2, 1].map(at);

/** The ids of rows newest first, by id within one instant, both descending. */
function newestFirst(rows: readonly { readonly id: string; readonly createdAt: Date }[]): string[] {
  return [...rows]
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Lists without pages are in the same order as those with pages. */
export const orderTests: StoreTests = {
  'lists projects newest first, and by id within one instant': async ({ store }) => {
    const projects = INSTANTS.map((createdAt) => aProject({ createdAt }));
    for (const project of projects) await store.insertProject(project);
    expectEqual(idsIn(await store.listProjects()), newestFirst(projects), 'the ids of all projects');
  },

  'lists endpoints newest first, and by id within one instant': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    const endpoints = INSTANTS.map((createdAt) => anEndpoint({ projectId: project.id, createdAt }));
    for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
    expectEqual(
      idsIn((await store.listEndpoints(project.id)).endpoints),
      newestFirst(endpoints),
      'the ids of a project’s endpoints',
    );
  },

  'lists transfers newest first, by id within one instant, at most the limit': async ({ store }) => {
    const subscription = aSubscription(idsOf(await storeFixture(store)));
    const transfers = INSTANTS.map((createdAt) =>
      aTransfer({ subscriptionId: subscription.id, state: 'failed', createdAt }),
    );
    await mustCommit(store, aCommit(subscription, { transfers }));
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 9)),
      newestFirst(transfers),
      'the ids of a subscription’s transfers',
    );
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 3)),
      newestFirst(transfers).slice(0, 3),
      'the ids of its three newest transfers',
    );
  },

  'lists the deliveries of an event newest first, and by id within one instant': async ({ store }) => {
    const fixture = await storeFixture(store);
    const projectId = fixture.project.id;
    const subscription = aSubscription({ ...idsOf(fixture), lastSequence: 1 });
    const event = anEvent({ projectId, subscriptionId: subscription.id });
    const deliveries = [];
    for (const createdAt of INSTANTS) {
      const endpoint = anEndpoint({ projectId });
      await store.insertEndpoint(endpoint);
      deliveries.push(aDelivery({ projectId, eventId: event.id, endpointId: endpoint.id, createdAt }));
    }
    await mustCommit(store, aCommit(subscription, { events: [event], deliveries }));
    expectEqual(
      idsIn(await store.listDeliveries(event.id)),
      newestFirst(deliveries),
      'the ids of an event’s deliveries',
    );
  },

  'lists subscriptions newest first, and by id within one instant': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { wallet } = aSubscription();
    const rows = INSTANTS.map((createdAt) =>
      aSubscription({ ...idsOf(fixture), wallet, status: 'ended', createdAt }),
    );
    await mustCommit(store, ...rows.map((row): Commit => aCommit(row)));
    const { project, plan } = fixture;
    expectEqual(
      idsIn(await store.listByWalletAndPlan(plan.id, wallet)),
      newestFirst(rows),
      'the ids of a wallet’s subscriptions to a plan',
    );
    const forAccess = await store.listForAccess(project.id, { by: 'wallet', value: wallet }, null);
    expectEqual(
      forAccess.map(({ subscription }) => subscription.id),
      newestFirst(rows),
      'the ids of the subscriptions that access is derived from',
    );
  },

  'lists active and sunset plans as published, ordered by the character codes of their slugs': async ({
    store,
  }) => {
    const project = aProject();
    await store.insertProject(project);
    // An order of a language puts `a-b` between `a1` and `ab`, or ignores its hyphen.
    const slugs = ['ab', 'a1', 'z', 'a-b', 'a'];
    for (const [index, slug] of slugs.entries())
      await aStoredPlan(store, project, { slug, status: index % 2 === 0 ? 'active' : 'sunset' });
    for (const status of ['draft', 'closed', 'failed'] as const)
      await aStoredPlan(store, project, { status });
    const elsewhere = aProject();
    await store.insertProject(elsewhere);
    await aStoredPlan(store, elsewhere);
    expectEqual(
      (await store.listPublishedPlans(project.id)).map(({ slug }) => slug),
      ['a', 'a-b', 'a1', 'ab', 'z'],
      'the slugs of the published plans',
    );
  },
};
