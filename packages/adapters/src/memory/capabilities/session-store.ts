import type { Session, SessionStore } from '@subrail/core/ports';
import { batchOf, byText, newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import { sessionSubscriptionKey, type Tables } from '../tables.js';

export function sessionStore(tables: Tables): SessionStore {
  const { projects, sessions, sessionSubscriptions, projectLooks, links, subscriptions, signedTerms } =
    tables;
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
      if (sessions.get(row.sessionId) === null) return;
      const stored = sessionSubscriptions.get(sessionSubscriptionKey(row));
      if (stored === null || (stored.submittedAt === null && stored.reservedAt < row.reservedAt))
        sessionSubscriptions.put([{ ...row, submittedAt: null }]);
    },
    async submitForSession(sessionId, subscriptionId, at) {
      if (sessions.get(sessionId) === null) return;
      const row = { sessionId, subscriptionId, reservedAt: at, submittedAt: at };
      const stored = sessionSubscriptions.get(sessionSubscriptionKey(row));
      if (stored === null) sessionSubscriptions.put([row]);
      else if (stored.submittedAt === null) sessionSubscriptions.put([{ ...stored, submittedAt: at }]);
    },
    async listSessionSubscriptions(sessionId) {
      return sessionSubscriptions
        .where('session', sessionId)
        .sort(
          (a, b) =>
            b.reservedAt.getTime() - a.reservedAt.getTime() || byText(b.subscriptionId, a.subscriptionId),
        );
    },
    async readPendingOfLinks(projectId) {
      const pending = subscriptions
        .where('project', projectId)
        .filter(
          ({ id, status, reservedByLink }) =>
            status === 'pending' &&
            reservedByLink !== null &&
            signedTerms.where('subscription', id).length === 0,
        );
      const [oldest = null] = pending.sort(
        (a, b) => Number(a.checkoutExpiresAt) - Number(b.checkoutExpiresAt),
      );
      return { count: pending.length, oldest };
    },

    async saveProjectLook(look) {
      projectLooks.put([look]);
    },
    async findProjectLook(projectId) {
      return projectLooks.get(projectId);
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

    async deleteUnusedVisits(expiredBefore, limit, after) {
      const isUnused = ({ id }: Session) =>
        sessionSubscriptions.where('session', id).every(({ submittedAt }) => submittedAt === null);
      const old = sessions
        .all()
        .filter(
          (session) => session.linkId !== null && session.expiresAt < expiredBefore && isUnused(session),
        );
      const { batch, next } = batchOf(old, ({ expiresAt }) => expiresAt, limit, after);
      removeSessions(tables, batch);
      return { changed: batch.length, next };
    },
    async deleteSessions(expiredBefore, limit, after) {
      const old = sessions.all().filter(({ expiresAt }) => expiresAt < expiredBefore);
      const { batch, next } = batchOf(old, ({ expiresAt }) => expiresAt, limit, after);
      removeSessions(tables, batch);
      return { changed: batch.length, next };
    },
  };
}

/** Deletes sessions, after the rows of their subscriptions. */
export function removeSessions(
  { sessions, sessionSubscriptions }: Tables,
  removed: readonly Session[],
): void {
  const rows = removed.flatMap(({ id }) => sessionSubscriptions.where('session', id));
  sessionSubscriptions.delete(rows.map(sessionSubscriptionKey));
  sessions.delete(removed.map(({ id }) => id));
}
