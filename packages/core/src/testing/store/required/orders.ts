import type { Commit } from '../../../ports/store.js';
import { aCommit, anEndpoint, aProject, aSubscription, aTransfer } from '../../records.js';
import { expectEqual } from '../expect.js';
import { created, newestFirst } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';
import { aStoredPlan, at, mustCommit, storeFixture } from '../fixture.js';

/** Instants of four rows in the order in which they are written. Two are equal, so that their ids decide. */
const INSTANTS = [2, 9, 2, 1].map(at);

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Lists without pages are in the same order as those with pages. */
export const orderTests: StoreTests = {
  'lists projects newest first, and by id within one instant': async ({ store }) => {
    const projects = INSTANTS.map((createdAt) => aProject({ createdAt }));
    for (const project of projects) await store.insertProject(project);
    expectEqual(idsIn(await store.listProjects()), newestFirst(projects, created), 'the ids of all projects');
  },

  'lists endpoints newest first, and by id within one instant': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    const endpoints = INSTANTS.map((createdAt) => anEndpoint({ projectId: project.id, createdAt }));
    for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
    expectEqual(
      idsIn((await store.listEndpoints(project.id)).endpoints),
      newestFirst(endpoints, created),
      'the ids of its endpoints',
    );
  },

  'lists transfers newest first, by id within one instant, at most the limit': async ({ store }) => {
    const subscription = (await storeFixture(store)).aSubscription();
    const transfers = INSTANTS.map((createdAt) =>
      aTransfer({ subscriptionId: subscription.id, state: 'failed', createdAt }),
    );
    await mustCommit(store, aCommit(subscription, { transfers }));
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 9)),
      newestFirst(transfers, created),
      'the ids of the transfers',
    );
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 3)),
      newestFirst(transfers, created).slice(0, 3),
      'the ids of the three newest',
    );
  },

  'lists subscriptions newest first, and by id within one instant': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { wallet } = aSubscription();
    const rows = INSTANTS.map((createdAt) => fixture.aSubscription({ wallet, status: 'ended', createdAt }));
    await mustCommit(store, ...rows.map((row): Commit => aCommit(row)));
    const { project, plan } = fixture;
    expectEqual(
      idsIn(await store.listByWalletAndPlan(plan.id, wallet)),
      newestFirst(rows, created),
      'the ids of a wallet and a plan',
    );
    const forAccess = await store.listForAccess(project.id, { by: 'wallet', value: wallet }, null);
    expectEqual(
      forAccess.map(({ subscription }) => subscription.id),
      newestFirst(rows, created),
      'the ids for access',
    );
  },

  'lists the plans of a project newest first, then by id, of some statuses': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    await storeFixture(store);
    const draft = await aStoredPlan(store, project, { status: 'draft', createdAt: at(2) });
    const closed = await aStoredPlan(store, project, { status: 'closed', createdAt: at(3) });
    const failed = await aStoredPlan(store, project, { status: 'failed', createdAt: at(1) });
    const sunset = await aStoredPlan(store, project, { status: 'sunset', createdAt: at(4) });
    const active = await aStoredPlan(store, project, { createdAt: at(2) });
    const sameInstant = [draft, active].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const every = [sunset, closed, ...sameInstant, failed];
    expectEqual(await store.listPlans(project.id, null), every, 'every plan of a project');
    const published = await store.listPlans(project.id, ['active', 'sunset']);
    expectEqual(published, [sunset, active], 'those that are active or sunset');
    expectEqual(await store.listPlans(project.id, []), [], 'those of no status');
    expectEqual(await store.listPlans(aProject().id, null), [], 'the plans of an unknown project');
  },
};
