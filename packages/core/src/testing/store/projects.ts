import { anApiKey, anEndpoint, aPlan, aProject } from '../records.js';
import { oneWinner, raced, refused, same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredPlan, at, aWorld } from './world.js';

/** Projects, keys, plans and endpoints. */
export const projects: Promises = {
  'projects are listed newest first': async ({ store }) => {
    const [middle, newest, oldest] = [2, 3, 1].map((ms) => aProject({ createdAt: at(ms) }));
    for (const project of [middle, newest, oldest]) if (project) await store.insertProject(project);
    same(await store.listProjects(), [newest, middle, oldest], 'the projects');
    same(await store.findProject(aProject().id), null, 'an unknown project');
  },

  'a revoked key is not found and keeps its first end': async ({ store, peer, raw }) => {
    const { project } = await aWorld(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.revokeApiKey(key.id, at(5));
    await peer.revokeApiKey(key.id, at(9));
    same(await store.findApiKey(key.hash), null, 'a revoked key');
    same((await raw.apiKey(key.id))?.revokedAt, at(5).getTime(), 'when it ended');
    same(await store.findApiKey(anApiKey().hash), null, 'an unknown key');
  },

  'when a key was last used never goes back': async ({ store }) => {
    const { project } = await aWorld(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.touchApiKey(key.id, at(9));
    await store.touchApiKey(key.id, at(5));
    same((await store.findApiKey(key.hash))?.key.lastUsedAt, at(9), 'the last use');
  },

  'two keys never share a hash': async ({ store, raw }) => {
    const { project } = await aWorld(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await refused(
      store.insertApiKey(anApiKey({ projectId: project.id, hash: key.hash })),
      'a second key of the same hash',
    );
    same(await raw.count('apiKeys'), 1, 'stored keys');
  },

  'a name and a slug are unique in a project (plans#fields-of-a-plan)': async ({ store, raw }) => {
    const { project } = await aWorld(store);
    const plan = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader' });
    const other = aProject();
    await store.insertProject(other);
    same(await store.insertPlan(aPlan({ projectId: project.id, name: 'Reader' })), 'name', 'a taken name');
    same(await store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })), 'slug', 'a taken slug');
    await aStoredPlan(store, other, { name: 'Reader', slug: 'reader' });
    same(await store.findPlanBySlug(project.id, 'reader'), plan, 'the plan of the slug');
    same(await store.findPlanBySlug(project.id, 'none'), null, 'an unknown slug');
    same(await raw.count('plans'), 3, 'stored plans');
  },

  'of many plans of one slug at once exactly one is inserted': async (subject) => {
    const { project } = await aWorld(subject.store);
    const answers = await raced(subject, 8, (store) =>
      store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
    );
    oneWinner(answers, 'inserted', 'slug', 'plans of one slug');
    same(await subject.raw.count('plans'), 2, 'stored plans');
  },

  'a plan whose creation failed gives its names back, a closed one keeps them': async ({ store }) => {
    const { project } = await aWorld(store);
    const failed = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader', status: 'failed' });
    same(await store.findPlanBySlug(project.id, 'reader'), null, 'the slug of a failed plan');
    const closed = await aStoredPlan(store, project, { name: 'Reader', slug: 'reader', status: 'closed' });
    same(await store.findPlanBySlug(project.id, 'reader'), closed, 'the slug of a closed plan');
    same(
      await store.insertPlan(aPlan({ projectId: project.id, slug: 'reader' })),
      'slug',
      'a closed plan’s slug',
    );
    same(
      await store.updatePlan({ ...failed, version: 2, status: 'draft' }),
      'lost',
      'a failed plan that takes back a slug given away',
    );
    same(await store.findPlan(failed.id), failed, 'the failed plan, untouched');
  },

  'of many next versions of a plan exactly one is written': async (subject) => {
    const { plan } = await aWorld(subject.store);
    const answers = await raced(subject, 8, (store, caller) =>
      store.updatePlan({ ...plan, version: 2, description: `by ${caller}` }),
    );
    oneWinner(answers, 'updated', 'lost', 'updates of one version');
    same((await subject.raw.plan(plan.id))?.version, 2, 'the stored version');
    same(await subject.store.updatePlan({ ...plan, version: 4 }), 'lost', 'a version that skips one');
  },

  'only active and sunset plans are published, by slug': async ({ store }) => {
    const { project, plan } = await aWorld(store);
    const late = await aStoredPlan(store, project, { slug: 'z', status: 'sunset' });
    const early = await aStoredPlan(store, project, { slug: 'a' });
    for (const status of ['draft', 'closed', 'failed'] as const)
      await aStoredPlan(store, project, { status });
    same(await store.listPublishedPlans(project.id), [early, plan, late], 'the published plans');
  },

  'of many endpoints of one address exactly one is inserted': async (subject) => {
    const { project } = await aWorld(subject.store);
    const url = 'https://example.com/one';
    const answers = await raced(subject, 8, (store) =>
      store.insertEndpoint(anEndpoint({ projectId: project.id, url })),
    );
    oneWinner(answers, 'inserted', 'taken', 'endpoints of one address');
    same(await subject.raw.count('endpoints'), 2, 'stored endpoints');
    const other = await aWorld(subject.store);
    same(
      await subject.store.insertEndpoint(anEndpoint({ projectId: other.project.id, url })),
      'inserted',
      'the same address in another project',
    );
  },

  'of many next versions of an endpoint exactly one is written': async (subject) => {
    const { endpoint, project } = await aWorld(subject.store);
    const answers = await raced(subject, 8, (store, caller) =>
      store.updateEndpoint({ ...endpoint, version: 2, url: `https://example.com/by/${caller}` }),
    );
    oneWinner(answers, 'updated', 'lost', 'updates of one version');
    const newer = anEndpoint({ projectId: project.id, createdAt: at(5) });
    await subject.store.insertEndpoint(newer);
    const listed = await subject.store.listEndpoints(project.id);
    same(
      listed.map(({ id, version }) => [id, version]),
      [
        [newer.id, 1],
        [endpoint.id, 2],
      ],
      'the endpoints, newest first',
    );
    const elsewhere = aProject();
    same(await subject.store.findEndpoint(elsewhere.id, endpoint.id), null, 'another project’s endpoint');
  },
};
