import type { ManagementStore, Store } from '../../../ports/store.js';
import type { Endpoint, Subscription } from '../../../records/index.js';
import { anApiKey, anEndpoint, aProject } from '../../records.js';
import { expectEach, expectEqual, expectRejection } from '../../expect.js';
import { expectCounts, expectOneWinner, race } from '../expect.js';
import { aStoredPlan, at, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** Projects, API keys and endpoints are changed and looked up by operators. */
export const managedProjectTests: StoreTests<Store & ManagementStore> = {
  'replaces a project, and throws when there is none with its id': async ({ store }) => {
    const { project } = await storeFixture(store);
    const other = aProject();
    await store.insertProject(other);
    const changed = { ...project, name: 'Another name', tier: 'free', subscriberLimit: 7 } as const;
    await store.updateProject(changed);
    expectEqual(await store.findProject(project.id), changed, 'the project that was replaced');
    expectEqual(await store.findProject(other.id), other, 'the other project');
    const unknown = aProject();
    await expectRejection(store.updateProject(unknown), 'an update of an unknown id');
    expectEqual(await store.findProject(unknown.id), null, 'an unknown project');
  },

  'deletes a project without plans and endpoints, with its keys, and no other': async ({ store, raw }) => {
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

  'lists the late subscriptions of a project, oldest first, a page at a time': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const late = (createdAt: Date, given: Partial<Subscription> = {}) =>
      fixture.aStoredSubscription({ status: 'unpaid', createdAt, ...given });
    const last = await late(at(3));
    const same = [await late(at(2)), await late(at(2), { pausedAt: at(5) })].toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    const first = await late(at(1));
    for (const status of ['active', 'cancelled', 'stopped', 'ended'] as const)
      await fixture.aStoredSubscription({ status });
    await elsewhere.aStoredSubscription({ status: 'unpaid' });
    const { id } = fixture.project;
    const inOrder = [first, ...same, last];
    expectEqual(await store.listLate(id, null, 10), inOrder, 'the late subscriptions on one page');
    expectEqual(await store.listLate(id, null, 2), inOrder.slice(0, 2), 'the first page');
    expectEqual(await store.listLate(id, inOrder[1] ?? null, 2), inOrder.slice(2), 'the second page');
    expectEqual(await store.listLate(id, last, 2), [], 'what follows the last');
  },

  'does not find a revoked key, and keeps the instant of the first revocation': async ({ store, peer }) => {
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await store.revokeApiKey(key.id, at(5));
    await peer.revokeApiKey(key.id, at(9));
    expectEqual(await store.findApiKey(key.hash), null, 'a revoked key');
    expectEqual((await store.listApiKeys(project.id))[0]?.revokedAt, at(5), 'revokedAt');
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

  'keeps the latest of many racing uses of a key, and ignores an unknown key': async (underTest) => {
    const { store, raw } = underTest;
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    await race(underTest, 8, (through, caller) => through.touchApiKey(key.id, at((caller * 5) % 8)));
    expectEqual((await store.listApiKeys(project.id))[0]?.lastUsedAt, at(7), 'lastUsedAt');
    await store.touchApiKey(anApiKey().id, at(9));
    await store.revokeApiKey(anApiKey().id, at(9));
    expectEqual(await raw.count('apiKeys'), 1, 'the number of stored keys');
  },

  'lists the keys of a project newest first, then by id, revoked ones too': async ({ store, peer }) => {
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
    await expectEach(
      [() => peer.listApiKeys(project.id), [keys[1], ...sameInstant, keys[0]], 'the keys of a project'],
      [() => store.listApiKeys(aProject().id), [], 'the keys of an unknown project'],
    );
  },

  'expires a key once, for the first of many racing callers, and no revoked key': async (underTest) => {
    const { store } = underTest;
    const { project } = await storeFixture(store);
    const key = anApiKey({ projectId: project.id });
    await store.insertApiKey(key);
    const results = await race(underTest, 8, (through, caller) => through.expireApiKey(key.id, at(caller)));
    expectOneWinner(results, 'expired', 'lost', 'expirations of one key');
    const expired = await store.findApiKey(key.hash);
    expectEqual(expired?.key.expiresAt, at(results.indexOf('expired')), 'expiresAt of a key that is found');
    expectEqual(await store.expireApiKey(anApiKey().id, at(1)), 'lost', 'the result for an unknown key');
    const revoked = anApiKey({ projectId: project.id, revokedAt: at(1) });
    await store.insertApiKey(revoked);
    expectEqual(await store.expireApiKey(revoked.id, at(2)), 'lost', 'the result for a revoked key');
  },

  'lists the endpoints of all projects by id, from a given one on, at most the limit': async ({ store }) => {
    const page = (endpoints: readonly (Endpoint | undefined)[], next?: Endpoint) => ({
      endpoints,
      unreadable: [],
      next: next?.id ?? null,
    });
    expectEqual(await store.listEndpointsAfter(null, 3), page([]), 'the endpoints of an empty store');
    const projects = [aProject(), aProject()] as const;
    for (const project of projects) await store.insertProject(project);
    const endpoints = [3, 2, 1, 4].map((ms, i) =>
      anEndpoint({ createdAt: at(ms), projectId: projects[i % 2 === 0 ? 0 : 1].id }),
    );
    for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
    const [a, b, c, d] = endpoints.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expectEqual(await store.listEndpointsAfter(null, 9), page([a, b, c, d]), 'all endpoints');
    expectEqual(await store.listEndpointsAfter(null, 2), page([a, b], b), 'the first two endpoints');
    expectEqual(await store.listEndpointsAfter(b?.id ?? null, 9), page([c, d]), 'those after the second');
    expectEqual(await store.listEndpointsAfter(d?.id ?? null, 9), page([]), 'those after the last');
    const deleted = { ...b, version: 2, enabled: false, deletedAt: at(9) } as Endpoint;
    await store.updateEndpoint(deleted);
    expectEqual(await store.listEndpointsAfter(deleted.id, 1), page([c], c), 'the one after a deleted one');
  },
};
