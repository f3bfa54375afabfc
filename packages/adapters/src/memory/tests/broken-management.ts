import { replacing, type BrokenStore } from './break-store.js';

const ACTS = 'lists acts newest first, of a project or about a subject, in pages';
const KEYS = 'reads a management key as it was written, by its hash, and lists every key, newest first';
const USES = 'keeps the latest use and the first revocation of a management key';

/** Stores that break a promise about management keys or the audit log. */
export const BROKEN_MANAGEMENT: readonly BrokenStore[] = [
  {
    promise: KEYS,
    fault: 'finds revoked management keys',
    create: replacing((_, { managementKeys }) => ({
      findManagementKey: async (hash) => managementKeys.find('hash', hash),
    })),
  },
  {
    promise: KEYS,
    fault: 'lists management keys oldest first',
    create: replacing((operations) => ({
      listManagementKeys: async () => [...(await operations.listManagementKeys())].reverse(),
    })),
  },
  {
    promise: 'refuses a second management key with one id or one hash',
    fault: 'replaces a management key that has the id',
    create: replacing((_, { managementKeys }) => ({
      insertManagementKey: async (key) => void managementKeys.put([key]),
    })),
  },
  {
    promise: USES,
    fault: 'keeps the last use that it was told of',
    create: replacing((_, { managementKeys }) => ({
      async touchManagementKey(id, at) {
        const key = managementKeys.get(id);
        if (key !== null) managementKeys.put([{ ...key, lastUsedAt: at }]);
      },
    })),
  },
  {
    promise: USES,
    fault: 'keeps the last revocation of a management key',
    create: replacing((_, { managementKeys }) => ({
      async revokeManagementKey(id, at) {
        const key = managementKeys.get(id);
        if (key !== null) managementKeys.put([{ ...key, revokedAt: at }]);
      },
    })),
  },
  {
    promise: 'reads an act as it was written, and throws when its id is taken',
    fault: 'drops what an act asked for',
    create: replacing((operations) => ({ insertAct: (act) => operations.insertAct({ ...act, input: {} }) })),
  },
  {
    promise: 'settles an act once: of many racing outcomes the first one counts',
    fault: 'keeps the last outcome of an act',
    create: replacing((_, { acts }) => ({
      async settleAct(id, subject, outcome) {
        const act = acts.get(id);
        if (act !== null) acts.put([{ ...act, subject, outcome }]);
      },
    })),
  },
  {
    promise: ACTS,
    fault: 'lists the acts of every project',
    create: replacing((operations) => ({
      listActs: (filter, page) => operations.listActs({ ...filter, projectId: null }, page),
    })),
  },
  {
    promise: ACTS,
    fault: 'lists the acts about every subject',
    create: replacing((operations) => ({
      listActs: (filter, page) => operations.listActs({ ...filter, subject: null }, page),
    })),
  },
];
