import type {
  ManagementStore,
  ReportStore,
  RetentionStore,
  SessionStore,
  Store,
  WalletStore,
} from '../../../ports/store.js';
import {
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  aManagementKey,
  anAuditEntry,
  anApiKey,
  anAttempt,
  anEndpoint,
  aLink,
  aProject,
  aSession,
} from '../../records.js';
import { dueOf, durabilityOf, LEASE_MS, reopened, storeDueRecords } from '../durable.js';
import { expectEqual } from '../../expect.js';
import { at, mustCommit, nextVersion, deliveryOf, termsOf } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

const FIRST_PAGE = { limit: 9, startingAfter: null };
const EVERY_ENTRY = { projectId: null, subject: null };

export const walletDurabilityTests: StoreTests<Store & WalletStore> = {
  'keeps the terms that commit wrote when it is closed and opened again': async (underTest) => {
    const { subscription } = await storeDueRecords(underTest.store);
    const signedTerms = termsOf(subscription, 'signature');
    await mustCommit(underTest.store, aCommit(nextVersion(subscription), { signedTerms }));
    const store = await reopened(underTest);
    expectEqual(await store.findSignedTerms(subscription.id), signedTerms, 'the terms');
  },
};

export const sessionDurabilityTests: StoreTests<Store & SessionStore> = durabilityOf<Store & SessionStore>({
  async insertSession(store, { project }) {
    const session = aSession({ projectId: project.id });
    await store.insertSession(session);
    return (reopened) => reopened.findSession(project.id, session.id);
  },
  async reserveForSession(store, { project, subscription }) {
    const session = aSession({ projectId: project.id });
    await store.insertSession(session);
    const row = { sessionId: session.id, subscriptionId: subscription.id, reservedAt: at(5) };
    await store.reserveForSession(row);
    return (reopened) => reopened.listSessionSubscriptions(session.id);
  },
  async submitForSession(store, { project, subscription }) {
    const session = aSession({ projectId: project.id });
    await store.insertSession(session);
    await store.submitForSession(session.id, subscription.id, at(5));
    return (reopened) => reopened.listSessionSubscriptions(session.id);
  },
  async saveProjectLook(store, { project: { id: projectId } }) {
    await store.saveProjectLook({ projectId, accent: '#0a7d5a', logo: null });
    return (reopened) => reopened.findProjectLook(projectId);
  },
  async insertLink(store, { project, plan }) {
    const link = aLink({ projectId: project.id, planId: plan.id });
    await store.insertLink(link);
    return (reopened) => reopened.findLink(link.id);
  },
  async endLink(store, { project, plan }) {
    const link = aLink({ projectId: project.id, planId: plan.id });
    await store.insertLink(link);
    await store.endLink(project.id, link.id, at(5));
    return (reopened) => reopened.findLink(link.id);
  },
  async deleteUnusedVisits(store, { project, plan }) {
    const link = aLink({ projectId: project.id, planId: plan.id });
    await store.insertLink(link);
    const session = aSession({ projectId: project.id, linkId: link.id, expiresAt: at(5) });
    await store.insertSession(session);
    await store.deleteUnusedVisits(at(9), 9, null);
    return (reopened) => reopened.findSession(project.id, session.id);
  },
  async deleteSessions(store, { project }) {
    const session = aSession({ projectId: project.id, expiresAt: at(5) });
    await store.insertSession(session);
    await store.deleteSessions(at(9), 9, null);
    return (reopened) => reopened.findSession(project.id, session.id);
  },
});

export const managementDurabilityTests: StoreTests<Store & ManagementStore> = {
  ...durabilityOf<Store & ManagementStore>({
    async updateProject(store, { project }) {
      await store.updateProject({ ...project, tier: 'free', subscriberLimit: 7 });
      return (reopened) => reopened.findProject(project.id);
    },
    async deleteProject(store) {
      const project = aProject();
      await store.insertProject(project);
      await store.deleteProject(project.id);
      return (reopened) => reopened.findProject(project.id);
    },
    async touchApiKey(store, { project }) {
      const key = anApiKey({ projectId: project.id });
      await store.insertApiKey(key);
      await store.touchApiKey(key.id, at(5));
      return async (reopened) => (await reopened.findApiKey(key.hash))?.key.lastUsedAt;
    },
    async revokeApiKey(store, { project }) {
      const key = anApiKey({ projectId: project.id });
      await store.insertApiKey(key);
      await store.revokeApiKey(key.id, at(5));
      return (reopened) => reopened.findApiKey(key.hash);
    },
    async expireApiKey(store, { project }) {
      const key = anApiKey({ projectId: project.id });
      await store.insertApiKey(key);
      await store.expireApiKey(key.id, at(5));
      return async (reopened) => (await reopened.findApiKey(key.hash))?.key.expiresAt;
    },
    async insertDeliveries(store, { project, event }) {
      const endpoint = anEndpoint({ projectId: project.id });
      await store.insertEndpoint(endpoint);
      await store.insertDeliveries([deliveryOf(event, endpoint)]);
      return (reopened) => reopened.listDeliveries(event.id);
    },
    async resendDeliveries(store, { event, endpoint }) {
      await store.resendDeliveries(endpoint.id, [event.id], ['pending'], at(77));
      return (reopened) => reopened.listDeliveries(event.id);
    },
    async failUnfinishedTests(store, { project, endpoint }) {
      const of = { projectId: project.id, endpointId: endpoint.id };
      const test = aDelivery({ ...of, eventId: null, type: 'test', nextAttemptAt: null, createdAt: at(1) });
      await store.insertDeliveries([test]);
      await store.failUnfinishedTests(at(5), 'never finished', at(5));
      return (reopened) => reopened.findDelivery(project.id, test.id);
    },
    async insertManagementKey(store) {
      await store.insertManagementKey(aManagementKey());
      return (reopened) => reopened.listManagementKeys();
    },
    async touchManagementKey(store) {
      const key = aManagementKey();
      await store.insertManagementKey(key);
      await store.touchManagementKey(key.id, at(5));
      return (reopened) => reopened.listManagementKeys();
    },
    async revokeManagementKey(store) {
      const key = aManagementKey();
      await store.insertManagementKey(key);
      await store.revokeManagementKey(key.id, at(5));
      return (reopened) => reopened.listManagementKeys();
    },
    async insertAuditEntry(store) {
      await store.insertAuditEntry(anAuditEntry());
      return (reopened) => reopened.listAuditEntries(EVERY_ENTRY, FIRST_PAGE);
    },
    async completeAuditEntry(store) {
      const entry = anAuditEntry();
      await store.insertAuditEntry(entry);
      await store.completeAuditEntry(entry.id, 'subject', { state: 'done', code: null, endedAt: at(5) });
      return (reopened) => reopened.listAuditEntries(EVERY_ENTRY, FIRST_PAGE);
    },
  }),

  'keeps the attempt that settleDeliveries wrote when it is closed and opened again': async (underTest) => {
    const { delivery } = await storeDueRecords(underTest.store);
    const attempt = aDeliveryAttempt({ deliveryId: delivery.id });
    const failed = { ...delivery, attempts: 1, nextAttemptAt: at(LEASE_MS) };
    await underTest.store.settleDeliveries([{ delivery: failed, wasDueAt: delivery.nextAttemptAt, attempt }]);
    const store = await reopened(underTest);
    expectEqual(await store.listDeliveryAttempts(delivery.id), [attempt], 'the attempts of the delivery');
  },
};

export const reportDurabilityTests: StoreTests<Store & ReportStore> = durabilityOf<Store & ReportStore>({
  async priceAttempts(store, { subscription }) {
    const attempt = anAttempt({ subscriptionId: subscription.id, amountUsd: null });
    await mustCommit(store, aCommit(nextVersion(subscription), { attempts: [attempt] }));
    await store.priceAttempts(new Map([[attempt.id, '4.99']]));
    return (reopened) => reopened.listAttempts(subscription.id, FIRST_PAGE);
  },
  async saveSeller(store, { project: { id: projectId } }) {
    const nothing = { address: null, taxId: null, receiptPrefix: null };
    await store.saveSeller({ projectId, legalName: 'A shop', ...nothing });
    return (reopened) => reopened.findSeller(projectId);
  },
});

export const retentionDurabilityTests: StoreTests<Store & RetentionStore> = durabilityOf<
  Store & RetentionStore
>({
  async hastenDeliveries(store, stored) {
    const { delivery } = stored;
    const retry = { ...delivery, attempts: 1, nextAttemptAt: at(LEASE_MS) };
    const attempt = aDeliveryAttempt({ deliveryId: delivery.id, number: 1, startedAt: at(LEASE_MS) });
    await store.settleDeliveries([{ delivery: retry, wasDueAt: delivery.nextAttemptAt, attempt }]);
    await store.hastenDeliveries(at(9), at(5), 9, null);
    return (reopened) => dueOf(reopened, stored);
  },
  async deleteEvents(store, { event, project, endpoint }) {
    await store.failDeliveries(endpoint.id, at(5));
    await store.deleteEvents(at(9), 9, null);
    return (reopened) => reopened.findEvent(project.id, event.id);
  },
  async deleteDeliveries(store, { endpoint }) {
    await store.failDeliveries(endpoint.id, at(5));
    await store.deleteDeliveries(at(9), 9, null);
    // Deleted rows are not deleted again.
    return async (reopened) => (await reopened.deleteDeliveries(at(9), 9, null)).changed;
  },
  async deleteExpiredCheckouts(store, stored) {
    const expired = stored.aSubscription({ status: 'expired', lastEventAt: at(5) });
    await mustCommit(store, aCommit(expired));
    await store.deleteExpiredCheckouts(at(9), 9, null);
    return (reopened) => reopened.findSubscription(expired.projectId, expired.id);
  },
});
