import type { SessionStore } from '@subrail/core/ports';
import { batchOf, newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import { sessionSubscriptionKey, type Tables } from '../tables.js';

export function sessionStore(tables: Tables): SessionStore {
  const { projects, sessions, sessionSubscriptions, links } = tables;
  return {
    async insertSession(session) {
      requireNew('session', sessions.insert([session]));
    },
    async findSession(projectId, id) {
      const session = sessions.get(id);
      return session?.projectId === projectId ? session : null;
    },
    async findSessionBySecret(secretHash) {
      const session = sessions.find('secretHash', secretHash);
      const project = session === null ? null : projects.get(session.projectId);
      return session === null || project === null ? null : { session, project };
    },
    async reserveForSession(row) {
      sessionSubscriptions.insert([{ ...row, submittedAt: null }]);
    },
    async submitForSession(sessionId, subscriptionId, at) {
      const row = { sessionId, subscriptionId, reservedAt: at, submittedAt: at };
      const stored = sessionSubscriptions.get(sessionSubscriptionKey(row));
      if (stored?.submittedAt == null) sessionSubscriptions.put([{ ...row, ...stored, submittedAt: at }]);
    },
    async listSessionSubscriptions(sessionId) {
      const rows = sessionSubscriptions.where('session', sessionId);
      return rows.sort(
        (a, b) =>
          b.reservedAt.getTime() - a.reservedAt.getTime() || (a.subscriptionId < b.subscriptionId ? 1 : -1),
      );
    },
    async countReservedByLinks(projectId, since, most) {
      const ofLinks = sessions.where('project', projectId).filter(({ linkId }) => linkId !== null);
      const rows = ofLinks.flatMap(({ id }) => sessionSubscriptions.where('session', id));
      const open = rows.filter(({ reservedAt, submittedAt }) => submittedAt === null && reservedAt >= since);
      return Math.min(most, open.length);
    },
    async insertLink(link) {
      requireNew('link', links.insert([link]));
    },
    async findLink(id) {
      return links.get(id);
    },
    async listLinks(projectId) {
      return newestFirst(links.where('project', projectId));
    },
    async endLink(projectId, id, at) {
      const link = links.get(id);
      if (link?.projectId !== projectId) return null;
      if (link.endedAt !== null) return link;
      const ended = { ...link, endedAt: at };
      links.put([ended]);
      return ended;
    },
    async deleteSessions(expiredBefore, limit, after) {
      const old = sessions.all().filter(({ expiresAt }) => expiresAt < expiredBefore);
      const { batch, next } = batchOf(old, ({ expiresAt }) => expiresAt, limit, after);
      const rows = batch.flatMap(({ id }) => sessionSubscriptions.where('session', id));
      sessionSubscriptions.delete(rows.map(sessionSubscriptionKey));
      sessions.delete(batch.map(({ id }) => id));
      return { changed: batch.length, next };
    },
  };
}
