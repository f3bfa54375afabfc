import type { Delivery, ManagementStore, SubscriptionPlace } from '@subrail/core/ports';
import { byText, newestFirst, pageOf } from '../order.js';
import { requireNew } from '../table.js';
import { refusedAddressKey, type Tables } from '../tables.js';
import { removeSessions } from './session-store.js';

export function managementStore(tables: Tables): ManagementStore {
  const { projectLooks, sellers, projects, apiKeys, plans, subscriptions, endpoints, sessions, links } =
    tables;
  const { deliveries, deliveryAttempts, managementKeys, auditEntries } = tables;
  const { mailSettings, refusedAddresses } = tables;
  return {
    async updateProject(project) {
      if (projects.get(project.id) === null) throw new Error(`There is no project ${project.id}.`);
      projects.put([project]);
    },
    async deleteProject(id) {
      const hasEndpoint = endpoints.all().some(({ projectId }) => projectId === id);
      if (hasEndpoint || plans.where('project', id).length > 0) return 'in_use';
      apiKeys.delete(apiKeys.where('project', id).map((key) => key.id));
      removeSessions(tables, sessions.where('project', id));
      links.delete(links.where('project', id).map((link) => link.id));
      projectLooks.delete([id]);
      sellers.delete([id]);
      mailSettings.delete([id]);
      refusedAddresses.delete(refusedAddresses.where('project', id).map(refusedAddressKey));
      projects.delete([id]);
      return 'deleted';
    },
    async listLate(projectId, after, limit) {
      return subscriptions
        .where('project', projectId)
        .filter(({ status }) => status === 'unpaid')
        .sort(oldestFirst)
        .filter((row) => after === null || oldestFirst(row, after) > 0)
        .slice(0, limit);
    },

    async listApiKeys(projectId) {
      return newestFirst(apiKeys.where('project', projectId));
    },
    async touchApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey === null || (apiKey.lastUsedAt !== null && apiKey.lastUsedAt >= at)) return;
      apiKeys.put([{ ...apiKey, lastUsedAt: at }]);
    },
    async revokeApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey?.revokedAt === null) apiKeys.put([{ ...apiKey, revokedAt: at }]);
    },
    async expireApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey === null || apiKey.revokedAt !== null || apiKey.expiresAt !== null) return 'lost';
      apiKeys.put([{ ...apiKey, expiresAt: at }]);
      return 'expired';
    },

    async listEndpointsAfter(after, limit) {
      const listed = endpoints
        .all()
        .filter(({ id, deletedAt }) => deletedAt === null && (after === null || id > after))
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit);
      const next = listed.length === limit ? (listed.at(-1)?.id ?? null) : null;
      return { endpoints: listed, unreadable: [], next };
    },
    async insertDeliveries(rows) {
      return rows.filter((row) => {
        const conflict = deliveries.insert([row]);
        if (conflict === 'eventAndEndpoint') return false;
        requireNew('delivery', conflict);
        return true;
      });
    },
    async resendDeliveries(endpointId, eventIds, states, at) {
      const found = eventIds
        .flatMap((eventId) => deliveries.find('eventAndEndpoint', eventId, endpointId) ?? [])
        .filter(
          ({ state, nextAttemptAt }) =>
            states.includes(state) && (state !== 'pending' || nextAttemptAt !== null),
        );
      deliveries.put(
        found.map((row): Delivery => ({
          ...row,
          state: 'pending',
          attemptsBefore: row.attempts,
          nextAttemptAt: at,
          settledAt: null,
        })),
      );
      return found.length;
    },
    async listTestDeliveries(endpointId, since) {
      const tests = deliveries.where('testsOfEndpoint', endpointId);
      return newestFirst(tests.filter(({ createdAt }) => createdAt >= since));
    },
    async failUnfinishedTests(createdBefore, excerpt, at) {
      const unfinished = deliveries
        .all()
        .filter((row) => row.eventId === null && row.state === 'pending' && row.createdAt < createdBefore);
      deliveries.put(
        unfinished.map((row) => ({ ...row, state: 'failed', lastExcerpt: excerpt, settledAt: at }) as const),
      );
      return unfinished.length;
    },
    async findDelivery(projectId, id) {
      const found = deliveries.get(id);
      return found?.projectId === projectId ? found : null;
    },
    async listDeliveryAttempts(id) {
      return deliveryAttempts.where('delivery', id).toSorted((one, other) => one.number - other.number);
    },
    async listDeliveries(eventId) {
      return newestFirst(deliveries.where('event', eventId));
    },

    async insertManagementKey(key) {
      requireNew('management key', managementKeys.insert([key]));
    },
    async findManagementKey(hash) {
      const key = managementKeys.find('hash', hash);
      return key === null || key.revokedAt !== null ? null : key;
    },
    async listManagementKeys() {
      return newestFirst(managementKeys.all());
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

    async insertAuditEntry(entry) {
      requireNew('audit entry', auditEntries.insert([entry]));
    },
    async completeAuditEntry(id, subject, outcome) {
      const entry = auditEntries.get(id);
      if (entry?.outcome === null) auditEntries.put([{ ...entry, subject, outcome }]);
    },
    async listAuditEntries({ projectId, subject }, page) {
      const listed = auditEntries
        .all()
        .filter((entry) => projectId === null || entry.projectId === projectId)
        .filter((entry) => subject === null || entry.subject === subject);
      return pageOf(newestFirst(listed), page);
    },
  };
}

const oldestFirst = (one: SubscriptionPlace, other: SubscriptionPlace): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || byText(one.id, other.id);
