import { replacing, type BrokenStore } from './break-store.js';

const AUDIT_ENTRIES = 'lists audit entries newest first, of a project or about a subject, in pages';
const KEYS = 'finds a management key by its hash, and lists all, newest first';
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
    promise: 'reads an audit entry as it was written, and throws when its id is taken',
    fault: 'drops what an audit entry asked for',
    create: replacing((operations) => ({
      insertAuditEntry: (entry) => operations.insertAuditEntry({ ...entry, input: {} }),
    })),
  },
  {
    promise: 'completes an audit entry once: of many racing outcomes the first one counts',
    fault: 'keeps the last outcome of an audit entry',
    create: replacing((_, { auditEntries }) => ({
      async completeAuditEntry(id, subject, outcome) {
        const entry = auditEntries.get(id);
        if (entry !== null) auditEntries.put([{ ...entry, subject, outcome }]);
      },
    })),
  },
  {
    promise: AUDIT_ENTRIES,
    fault: 'lists the audit entries of every project',
    create: replacing((operations) => ({
      listAuditEntries: (filter, page) => operations.listAuditEntries({ ...filter, projectId: null }, page),
    })),
  },
  {
    promise: AUDIT_ENTRIES,
    fault: 'lists the audit entries about every subject',
    create: replacing((operations) => ({
      listAuditEntries: (filter, page) => operations.listAuditEntries({ ...filter, subject: null }, page),
    })),
  },
];
