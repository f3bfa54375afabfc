import type { ChainIdentity } from '../../../records/index.js';
import { expectThat, expectEach, expectEqual, expectRejection } from '../../expect.js';
import { anApiKey, anEndpoint, aPlan, aProject } from '../../records.js';
import { expectCounts, expectOneWinner, race } from '../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { aStoredPlan, at, storeFixture } from '../fixture.js';

/** Projects, API keys, plans and endpoints are inserted, found, listed and replaced. */
export const projectTests: StoreTests = {
  'keeps the chain that the first of many racing callers claims, for all': async (underTest) => {
    const identityOf = (caller: number): ChainIdentity => ({
      genesisHash: `hash ${caller}`,
      network: 'devnet',
      charger: `charger ${caller}`,
    });
    const claimed = await race(underTest, 8, (store, caller) => store.claimChainIdentity(identityOf(caller)));
    const [first] = claimed;
    expectThat(
      Array.from({ length: 8 }, (_, caller) => identityOf(caller).charger).includes(first?.charger ?? ''),
      'the claimed chain to be the one that a caller gave',
      first,
    );
    expectEqual(claimed, Array(8).fill(first), 'the chain that each caller got');
    const later = { ...identityOf(9), network: 'mainnet-beta' } as const;
    expectEqual(await underTest.peer.claimChainIdentity(later), first, 'the chain that a later caller got');
  },

  'throws when the id of a new project, key, plan or endpoint is taken': async ({ store, raw }) => {
    const { project, plan, endpoint } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    const writes = {
      insertProject: () => store.insertProject(aProject({ id: project.id })),
      insertApiKey: () => store.insertApiKey(anApiKey({ projectId: project.id, id: key.id })),
      insertPlan: () => store.insertPlan(aPlan({ projectId: project.id, id: plan.id })),
      insertEndpoint: () => store.insertEndpoint(anEndpoint({ projectId: project.id, id: endpoint.id })),
    };
    for (const [method, write] of Object.entries(writes))
      await expectRejection(write(), `the promise of ${method} with a taken id`);
    expectEqual(await store.findProject(project.id), project, 'the project that has the id');
    expectEqual(await store.findPlan(plan.id), plan, 'the plan that has the id');
    await expectCounts(raw, { projects: 1, apiKeys: 1, endpoints: 1 });
    expectEqual(await store.findProject(aProject().id), null, 'an unknown project');
    expectEqual(await store.findPlan(aPlan().id), null, 'an unknown plan');
  },

  'finds a key by its hash with its project, and neither a revoked nor an unknown one': async ({ store }) => {
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id, expiresAt: at(1) });
    const revoked = anApiKey({ projectId: project.id, revokedAt: at(1) });
    for (const row of [key, revoked]) await store.insertApiKey(row);
    expectEqual(await store.findApiKey(key.hash), { key, project }, 'a key that ends');
    expectEqual(await store.findApiKey(revoked.hash), null, 'a revoked key');
    expectEqual(await store.findApiKey(anApiKey().hash), null, 'an unknown key');
  },

  'refuses a second key with one hash': async ({ store, raw }) => {
    const { project } = await storeFixture(store);
    for (const revokedAt of [null, at(1)]) {
      const key = anApiKey({ projectId: project.id, revokedAt });
      await store.insertApiKey(key);
      await expectRejection(
        store.insertApiKey(anApiKey({ projectId: project.id, hash: key.hash })),
        `a key with the hash of ${revokedAt === null ? 'another' : 'a revoked one'}`,
      );
    }
    expectEqual(await raw.count('apiKeys'), 2, 'the number of stored keys');
  },

  'keeps plan names and slugs unique within a project': async ({ store, raw }) => {
    const { project } = await storeFixture(store);
    const plan = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader' });
    const other = aProject();
    await store.insertProject(other);
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, name: 'Reader' })),
      'name',
      'a taken name',
    );
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
      'slug',
      'a taken slug',
    );
    await aStoredPlan(store, other, { name: 'Reader', slug: 'reader' });
    expectEqual(await store.findPlanBySlug(project.id, 'reader'), plan, 'the plan with the slug');
    expectEqual(await store.findPlanBySlug(project.id, 'none'), null, 'the plan with an unknown slug');
    expectEqual(await raw.count('plans'), 3, 'the number of stored plans');
  },

  'inserts exactly one of many racing plans with one slug': async (underTest) => {
    const { project } = await storeFixture(underTest.store);
    const results = await race(underTest, 8, (store) =>
      store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
    );
    expectOneWinner(results, 'inserted', 'slug', 'plans of one slug');
    expectEqual(await underTest.raw.count('plans'), 2, 'the number of stored plans');
  },

  'lets a new plan take the names of a failed plan, but not of a closed one': async ({ store }) => {
    const { project } = await storeFixture(store);
    const failed = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader', status: 'failed' });
    expectEqual(await store.findPlanBySlug(project.id, 'reader'), null, 'the plan of a failed plan’s slug');
    const closed = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader', status: 'closed' });
    await expectEach(
      [() => store.findPlanBySlug(project.id, 'reader'), closed, 'the plan of a closed plan’s slug'],
      [
        () => store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
        'slug',
        'a closed plan’s slug',
      ],
      [
        () => store.insertPlan({ ...failed, id: aPlan().id }),
        'inserted',
        'a plan that is failed from the start, with taken names',
      ],
      [
        () => store.updatePlan({ ...failed, version: 2, status: 'draft' }),
        'lost',
        'a failed plan that takes back a taken slug',
      ],
      [() => store.findPlan(failed.id), failed, 'the failed plan'],
    );
  },

  'writes exactly one of many racing next versions of a plan': async (underTest) => {
    const { plan } = await storeFixture(underTest.store);
    const results = await race(underTest, 8, (store, caller) =>
      store.updatePlan({ ...plan, version: 2, description: `by ${caller}` }),
    );
    expectOneWinner(results, 'updated', 'lost', 'updates of one version');
    await expectEach(
      [async () => (await underTest.raw.plan(plan.id))?.version, 2, 'the stored version'],
      [() => underTest.store.updatePlan({ ...plan, version: 4 }), 'lost', 'a version that skips one'],
      [
        () => underTest.store.updatePlan(aPlan({ projectId: plan.projectId, version: 2 })),
        'lost',
        'an unknown plan',
      ],
    );
  },

  'inserts exactly one of many racing endpoints with one URL': async (underTest) => {
    const { project } = await storeFixture(underTest.store);
    const url = 'https://example.com/one';
    const results = await race(underTest, 8, (store) =>
      store.insertEndpoint(anEndpoint({ projectId: project.id, url })),
    );
    expectOneWinner(results, 'inserted', 'taken', 'endpoints with one URL');
    expectEqual(await underTest.raw.count('endpoints'), 2, 'the number of stored endpoints');
    const other = await storeFixture(underTest.store);
    expectEqual(
      await underTest.store.insertEndpoint(anEndpoint({ projectId: other.project.id, url })),
      'inserted',
      'the same URL in another project',
    );
  },

  'shows a deleted endpoint to nobody, and gives its URL to another one': async ({ store }) => {
    const { project, endpoint } = await storeFixture(store);
    const deleted = { ...endpoint, version: 2, enabled: false, deletedAt: at(1) };
    expectEqual(await store.updateEndpoint(deleted), 'updated', 'the result of deleting an endpoint');
    expectEqual(await store.findEndpoint(project.id, endpoint.id), null, 'the deleted endpoint');
    expectEqual((await store.listEndpoints(project.id)).endpoints, [], 'the endpoints of the project');
    const next = anEndpoint({ projectId: project.id, url: endpoint.url });
    expectEqual(await store.insertEndpoint(next), 'inserted', 'the result of inserting its URL');
    expectEqual((await store.listEndpoints(project.id)).endpoints, [next], 'the endpoints of the project');
  },

  'writes exactly one of many racing next versions of an endpoint': async (underTest) => {
    const { endpoint, project } = await storeFixture(underTest.store);
    const results = await race(underTest, 8, (store, caller) =>
      store.updateEndpoint({ ...endpoint, version: 2, url: `https://example.com/by/${caller}` }),
    );
    expectOneWinner(results, 'updated', 'lost', 'updates of one version');
    const { store, raw } = underTest;
    const winner = await store.findEndpoint(project.id, endpoint.id);
    expectEqual(winner, { ...endpoint, version: 2, url: winner?.url }, 'the endpoint');
    const other = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(other);
    expectEqual(
      await store.updateEndpoint({ ...other, version: 2, url: winner?.url ?? '' }),
      'lost',
      'an endpoint that takes the URL of another',
    );
    expectEqual(await store.findEndpoint(project.id, other.id), other, 'the endpoint that lost');
    expectEqual(
      await store.updateEndpoint(anEndpoint({ projectId: project.id, version: 2 })),
      'lost',
      'an unknown endpoint',
    );
    expectEqual(await raw.count('endpoints'), 2, 'the number of stored endpoints');
    const elsewhere = aProject();
    expectEqual(await store.findEndpoint(elsewhere.id, endpoint.id), null, 'an endpoint of another project');
  },
};
