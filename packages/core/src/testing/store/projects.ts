import type { ChainIdentity, Endpoint } from '../../records/index.js';
import { expectThat } from '../expect-that.js';
import { anApiKey, anEndpoint, aPlan, aProject } from '../records.js';
import { expectCounts, expectEqual, expectOneWinner, expectRejection, race } from './expect.js';
import type { StoreTests } from './store-under-test.js';
import { aStoredPlan, at, storeFixture } from './fixture.js';

/** Projects, API keys, plans and endpoints are inserted, found, listed and replaced. */
export const projectTests: StoreTests = {
  'keeps the chain that the first of many racing callers claims, and returns it to all': async (
    underTest,
  ) => {
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

  'lists the endpoints of all projects by id, from a given one on, at most the limit': async ({ store }) => {
    const listed = (endpoints: readonly (Endpoint | undefined)[], next?: Endpoint) => ({
      endpoints,
      unreadable: [],
      next: next?.id ?? null,
    });
    expectEqual(await store.listEndpointsAfter(null, 3), listed([]), 'the endpoints of an empty store');
    const projects = [aProject(), aProject()] as const;
    for (const project of projects) await store.insertProject(project);
    const endpoints = [3, 2, 1, 4].map((ms, i) =>
      anEndpoint({ createdAt: at(ms), projectId: projects[i % 2 === 0 ? 0 : 1].id }),
    );
    for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
    const [a, b, c, d] = endpoints.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expectEqual(await store.listEndpointsAfter(null, 9), listed([a, b, c, d]), 'all endpoints');
    expectEqual(await store.listEndpointsAfter(null, 2), listed([a, b], b), 'the first two endpoints');
    expectEqual(await store.listEndpointsAfter(b?.id ?? null, 9), listed([c, d]), 'those after the second');
    expectEqual(await store.listEndpointsAfter(d?.id ?? null, 9), listed([]), 'those after the last');
    const deleted = { ...b, version: 2, enabled: false, deletedAt: at(9) } as Endpoint;
    await store.updateEndpoint(deleted);
    expectEqual(await store.listEndpointsAfter(deleted.id, 1), listed([c], c), 'the one after a deleted one');
  },

  'replaces a project, and throws when there is none with its id': async ({ store }) => {
    const { project } = await storeFixture(store);
    const other = aProject();
    await store.insertProject(other);
    const changed = { ...project, name: 'Another name', tier: 'free', subscriberLimit: 7 } as const;
    await store.updateProject(changed);
    expectEqual(await store.findProject(project.id), changed, 'the project that was replaced');
    expectEqual(await store.findProject(other.id), other, 'the other project');
    const unknown = aProject();
    await expectRejection(store.updateProject(unknown), 'the promise of updateProject with an unknown id');
    expectEqual(await store.findProject(unknown.id), null, 'an unknown project');
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

  'does not find a revoked key, and keeps the instant of the first revocation': async ({
    store,
    peer,
    raw,
  }) => {
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.revokeApiKey(key.id, at(5));
    await peer.revokeApiKey(key.id, at(9));
    expectEqual(await store.findApiKey(key.hash), null, 'a revoked key');
    expectEqual((await raw.apiKey(key.id))?.revokedAt, at(5).getTime(), 'the stored revokedAt');
    expectEqual(await store.findApiKey(anApiKey().hash), null, 'an unknown key');
  },

  'never moves lastUsedAt of a key back': async ({ store }) => {
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.touchApiKey(key.id, at(9));
    await store.touchApiKey(key.id, at(5));
    expectEqual((await store.findApiKey(key.hash))?.key.lastUsedAt, at(9), 'lastUsedAt');
  },

  'keeps the latest of many racing uses of a key, and ignores a key that it does not have': async (
    underTest,
  ) => {
    const { store, raw } = underTest;
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await race(underTest, 8, (through, caller) => through.touchApiKey(key.id, at((caller * 5) % 8)));
    expectEqual((await raw.apiKey(key.id))?.lastUsedAt, at(7).getTime(), 'the stored lastUsedAt');
    await store.touchApiKey(anApiKey().id, at(9));
    await store.revokeApiKey(anApiKey().id, at(9));
    expectEqual(await raw.count('apiKeys'), 1, 'the number of stored keys');
  },

  'lists the keys of one project newest first, by id within one instant, revoked ones too': async ({
    store,
    peer,
  }) => {
    const { project } = await storeFixture(store);
    const other = aProject();
    await store.insertProject(other);
    await store.insertApiKey(anApiKey({ projectId: other.id }));
    const keys = [
      anApiKey({ projectId: project.id, name: 'first', createdAt: at(1), revokedAt: at(6) }),
      anApiKey({ projectId: project.id, createdAt: at(3), lastUsedAt: at(4) }),
      anApiKey({ projectId: project.id, createdAt: at(2), expiresAt: at(5) }),
      anApiKey({ projectId: project.id, createdAt: at(2) }),
    ] as const;
    for (const key of keys) await store.insertApiKey(key);
    const sameInstant = [keys[2], keys[3]].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    expectEqual(
      await peer.listApiKeys(project.id),
      [keys[1], ...sameInstant, keys[0]],
      'the keys of a project',
    );
    expectEqual(await store.listApiKeys(aProject().id), [], 'the keys of an unknown project');
  },

  'expires a key once: of many racing callers the first one counts, and none for a revoked key': async (
    underTest,
  ) => {
    const { store } = underTest;
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    const results = await race(underTest, 8, (through, caller) => through.expireApiKey(key.id, at(caller)));
    expectOneWinner(results, 'expired', 'lost', 'expirations of one key');
    const found = await store.findApiKey(key.hash);
    expectEqual(found?.key.expiresAt, at(results.indexOf('expired')), 'expiresAt of a key that is found');
    expectEqual(await store.expireApiKey(anApiKey().id, at(1)), 'lost', 'the result for an unknown key');
    const revoked = anApiKey({ projectId: project.id, revokedAt: at(1) });
    await store.insertApiKey(revoked);
    expectEqual(await store.expireApiKey(revoked.id, at(2)), 'lost', 'the result for a revoked key');
  },

  'deletes a project that never had a plan or an endpoint, with its keys, and no other': async ({
    store,
    raw,
  }) => {
    const { project } = await storeFixture(store);
    const [empty, drafted, called] = [aProject(), aProject(), aProject()] as const;
    for (const row of [empty, drafted, called]) {
      await store.insertProject(row);
      await store.insertApiKey(anApiKey({ projectId: row.id }));
    }
    await aStoredPlan(store, drafted, { status: 'failed' });
    await store.insertEndpoint(anEndpoint({ projectId: called.id, deletedAt: at(1) }));
    expectEqual(await store.deleteProject(empty.id), 'deleted', 'the result for an empty project');
    expectEqual(await store.deleteProject(drafted.id), 'in_use', 'the result for one with a failed plan');
    expectEqual(await store.deleteProject(called.id), 'in_use', 'the result for one with a deleted endpoint');
    expectEqual(await store.deleteProject(aProject().id), 'deleted', 'the result for an unknown project');
    expectEqual(await store.findProject(empty.id), null, 'the deleted project');
    for (const row of [project, drafted, called])
      expectEqual(await store.findProject(row.id), row, 'another project');
    await expectCounts(raw, { projects: 3, apiKeys: 2 });
  },

  'lists every plan of one project newest first, by id within one instant': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    await storeFixture(store);
    const draft = await aStoredPlan(store, project, { status: 'draft', createdAt: at(2) });
    const closed = await aStoredPlan(store, project, { status: 'closed', createdAt: at(3) });
    const failed = await aStoredPlan(store, project, { status: 'failed', createdAt: at(1) });
    const active = await aStoredPlan(store, project, { createdAt: at(2) });
    const sameInstant = [draft, active].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    expectEqual(
      await store.listPlans(project.id),
      [closed, ...sameInstant, failed],
      'every plan of a project',
    );
    expectEqual(await store.listPlans(aProject().id), [], 'the plans of an unknown project');
  },

  'refuses a second key with one hash': async ({ store, raw }) => {
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await expectRejection(
      store.insertApiKey(anApiKey({ projectId: project.id, hash: key.hash })),
      'the promise of inserting a second key with one hash',
    );
    expectEqual(await raw.count('apiKeys'), 1, 'the number of stored keys');
  },

  'keeps plan names and slugs unique within a project': async ({ store, raw }) => {
    const { project } = await storeFixture(store);
    const plan = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader' });
    const other = aProject();
    await store.insertProject(other);
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, name: 'Reader' })),
      'name',
      'the result of inserting a plan with a taken name',
    );
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
      'slug',
      'the result of inserting a plan with a taken slug',
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
    expectEqual(
      await store.findPlanBySlug(project.id, 'reader'),
      null,
      'the plan with the slug of a failed plan',
    );
    const closed = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader', status: 'closed' });
    expectEqual(
      await store.findPlanBySlug(project.id, 'reader'),
      closed,
      'the plan with the slug of a closed plan',
    );
    expectEqual(
      await store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
      'slug',
      'the result of inserting a plan with a closed plan’s slug',
    );
    expectEqual(
      await store.updatePlan({ ...failed, version: 2, status: 'draft' }),
      'lost',
      'the result of a failed plan taking back a slug that another plan has',
    );
    expectEqual(await store.findPlan(failed.id), failed, 'the failed plan');
  },

  'writes exactly one of many racing next versions of a plan': async (underTest) => {
    const { plan } = await storeFixture(underTest.store);
    const results = await race(underTest, 8, (store, caller) =>
      store.updatePlan({ ...plan, version: 2, description: `by ${caller}` }),
    );
    expectOneWinner(results, 'updated', 'lost', 'updates of one version');
    expectEqual((await underTest.raw.plan(plan.id))?.version, 2, 'the stored version');
    expectEqual(
      await underTest.store.updatePlan({ ...plan, version: 4 }),
      'lost',
      'the result of a version that skips one',
    );
    expectEqual(
      await underTest.store.updatePlan(aPlan({ projectId: plan.projectId, version: 2 })),
      'lost',
      'the result of updating an unknown plan',
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
      'the result of inserting the URL in another project',
    );
  },

  'shows a deleted endpoint to nobody, and gives its URL to another one': async ({ store }) => {
    const { project, endpoint } = await storeFixture(store);
    const deleted = { ...endpoint, version: 2, enabled: false, deletedAt: at(1) };
    expectEqual(await store.updateEndpoint(deleted), 'updated', 'the result of deleting an endpoint');
    expectEqual(await store.findEndpoint(project.id, endpoint.id), null, 'the deleted endpoint');
    expectEqual((await store.listEndpoints(project.id)).endpoints, [], 'the endpoints of the project');
    expectEqual((await store.listEndpointsAfter(null, 9)).endpoints, [], 'the endpoints of all projects');
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
      'the result of an endpoint taking the URL of another one',
    );
    expectEqual(await store.findEndpoint(project.id, other.id), other, 'the endpoint that lost');
    expectEqual(
      await store.updateEndpoint(anEndpoint({ projectId: project.id, version: 2 })),
      'lost',
      'the result of updating an unknown endpoint',
    );
    expectEqual(await raw.count('endpoints'), 2, 'the number of stored endpoints');
    const elsewhere = aProject();
    expectEqual(await store.findEndpoint(elsewhere.id, endpoint.id), null, 'an endpoint of another project');
  },
};
