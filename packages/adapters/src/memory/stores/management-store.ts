import type { ManagementStore } from '@subrail/core/ports';
import { newestFirst, pageOf } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

/** Management keys and the audit log. */
export function managementStore({ managementKeys, acts }: Tables): ManagementStore {
  return {
    async insertManagementKey(key) {
      requireNew('management key', managementKeys.insert([key]));
    },
    async findManagementKey(hash) {
      const key = managementKeys.find('hash', hash);
      return key === null || key.revokedAt !== null ? null : key;
    },
    async listManagementKeys() {
      return newestFirst(managementKeys.all(), 'createdAt');
    },
    async touchManagementKey(id, at) {
      const key = managementKeys.get(id);
      if (key === null || (key.lastUsedAt !== null && key.lastUsedAt >= at)) return;
      managementKeys.put([{ ...key, lastUsedAt: at }]);
    },
    async revokeManagementKey(id, at) {
      const key = managementKeys.get(id);
      if (key?.revokedAt === null) managementKeys.put([{ ...key, revokedAt: at }]);
    },

    async insertAct(act) {
      requireNew('act', acts.insert([act]));
    },
    async settleAct(id, subject, outcome) {
      const act = acts.get(id);
      if (act?.outcome === null) acts.put([{ ...act, subject, outcome }]);
    },
    async listActs({ projectId, subject }, page) {
      const listed = acts
        .all()
        .filter((act) => projectId === null || act.projectId === projectId)
        .filter((act) => subject === null || act.subject === subject);
      return pageOf(newestFirst(listed, 'createdAt'), page);
    },
  };
}
