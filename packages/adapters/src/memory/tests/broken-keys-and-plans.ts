import { replacing, type BrokenStore } from './break-store.js';

const KEYS = 'lists the keys of a project newest first, then by id, revoked ones too';
const EXPIRY = 'expires a key once, for the first of many racing callers, and no revoked key';
const DELETION = 'deletes a project without plans and endpoints, with its keys, and no other';
const PLANS = 'lists the plans of a project newest first, then by id, of some statuses';

/** Stores that break a promise about projects, their keys or the list of their plans. */
export const BROKEN_KEYS_AND_PLANS: readonly BrokenStore[] = [
  {
    promise: KEYS,
    fault: 'lists no revoked key',
    create: replacing((operations) => ({
      listApiKeys: async (projectId) =>
        (await operations.listApiKeys(projectId)).filter(({ revokedAt }) => revokedAt === null),
    })),
  },
  {
    promise: KEYS,
    fault: 'lists the keys of every project',
    create: replacing((_, { apiKeys }) => ({ listApiKeys: async () => apiKeys.all() })),
  },
  {
    promise: EXPIRY,
    fault: 'expires a key again',
    create: replacing((_, { apiKeys }) => ({
      async expireApiKey(id, at) {
        const key = apiKeys.get(id);
        if (key === null || key.revokedAt !== null) return 'lost';
        apiKeys.put([{ ...key, expiresAt: at }]);
        return 'expired';
      },
    })),
  },
  {
    promise: EXPIRY,
    fault: 'expires a revoked key',
    create: replacing((_, { apiKeys }) => ({
      async expireApiKey(id, at) {
        const key = apiKeys.get(id);
        if (key === null || key.expiresAt !== null) return 'lost';
        apiKeys.put([{ ...key, expiresAt: at }]);
        return 'expired';
      },
    })),
  },
  {
    promise: DELETION,
    fault: 'leaves the keys of the project',
    create: replacing((operations, { projects, apiKeys }) => ({
      async deleteProject(id) {
        const keys = apiKeys.where('project', id);
        const deleted = await operations.deleteProject(id);
        if (deleted === 'deleted' && projects.get(id) === null) apiKeys.put(keys);
        return deleted;
      },
    })),
  },
  {
    promise: DELETION,
    fault: 'takes a deleted endpoint for none',
    create: replacing((operations, { projects, endpoints }) => ({
      async deleteProject(id) {
        if (endpoints.where('project', id).length > 0) return 'in_use';
        const had = endpoints.all().some(({ projectId }) => projectId === id);
        if (!had) return operations.deleteProject(id);
        projects.delete([id]);
        return 'deleted';
      },
    })),
  },
  {
    promise: PLANS,
    fault: 'lists no failed plan',
    create: replacing((operations) => ({
      listPlans: async (...given) =>
        (await operations.listPlans(...given)).filter(({ status }) => status !== 'failed'),
    })),
  },
  {
    promise: PLANS,
    fault: 'lists the oldest plan first',
    create: replacing((operations) => ({
      listPlans: async (...given) => [...(await operations.listPlans(...given))].reverse(),
    })),
  },
  {
    promise: PLANS,
    fault: 'lists those of every status',
    create: replacing((operations) => ({
      listPlans: (projectId) => operations.listPlans(projectId, null),
    })),
  },
  {
    promise: 'finds a key by its hash with its project, and neither a revoked nor an unknown one',
    fault: 'finds a revoked key',
    create: replacing((_, { apiKeys, projects }) => ({
      async findApiKey(hash) {
        const key = apiKeys.find('hash', hash);
        const project = key === null ? null : projects.get(key.projectId);
        return key === null || project === null ? null : { key, project };
      },
    })),
  },
];
