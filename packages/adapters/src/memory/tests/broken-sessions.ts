import type { SessionSubscription, Subscription } from '@subrail/core/ports';
import { sessionSubscriptionKey, type Tables } from '../tables.js';
import { replacing, reversing, withoutUnique, type BrokenStore } from './break-store.js';

const ROUND_TRIP = 'reads a session as it was written, by its id and by its secret';
const OWN_PROJECT = 'finds a session in its own project only, and none for an unknown secret';
const REFUSED = 'refuses a second session with one id or one secret, of another project too';
const RESERVED = 'keeps the last reservation of a subscription, of many racing callers too';
const SUBMITTED = 'keeps the first submit of a subscription, of many racing callers too';
const INSERTED = 'inserts what a session submits without having reserved it, once';
const UNKNOWN = 'stores nothing of a session that is not stored';
const LISTED = 'lists the subscriptions of a session by their reservation, newest first, then by id';
const PENDING =
  'reads what links of a project keep pending without signed terms, and what expires first of it';

/** Stores that break a promise about sessions or the subscriptions of them. */
const OF_SESSIONS: readonly BrokenStore[] = [
  {
    promise: ROUND_TRIP,
    fault: 'sorts the plans of a session',
    create: replacing((operations) => ({
      insertSession: (session) =>
        operations.insertSession({ ...session, planIds: session.planIds.toSorted() }),
    })),
  },
  {
    promise: ROUND_TRIP,
    fault: 'makes every session one of a checkout',
    create: replacing((operations) => ({
      insertSession: (session) => operations.insertSession({ ...session, kind: 'checkout' }),
    })),
  },
  {
    promise: OWN_PROJECT,
    fault: 'finds a session by its id alone',
    create: replacing((_, { sessions }) => ({ findSession: async (_project, id) => sessions.get(id) })),
  },
  {
    promise: OWN_PROJECT,
    fault: 'answers some session for an unknown secret',
    create: replacing((operations, { sessions }) => ({
      findSessionBySecret: (secretHash) =>
        operations.findSessionBySecret(
          sessions.find('secretHash', secretHash) === null
            ? (sessions.all()[0]?.secretHash ?? secretHash)
            : secretHash,
        ),
    })),
  },
  {
    promise: 'finds a session by its secret after it expired',
    fault: 'hides a session that expired',
    create: replacing((operations) => ({
      async findSessionBySecret(secretHash) {
        const found = await operations.findSessionBySecret(secretHash);
        return found !== null && found.session.expiresAt < new Date(1_000) ? null : found;
      },
    })),
  },
  {
    promise: REFUSED,
    fault: 'replaces a session that has the id',
    create: replacing((_, { sessions }) => ({
      insertSession: async (session) => void sessions.put([session]),
    })),
  },
  {
    promise: REFUSED,
    fault: 'keeps the secrets of each project apart',
    create: withoutUnique('sessions', 'secretHash'),
  },
  {
    promise: 'inserts one of many racing sessions with one secret',
    fault: 'looks for the secret before it inserts',
    create: () => {
      const store = withoutUnique('sessions', 'secretHash')();
      return {
        ...store,
        async insertSession(session) {
          if ((await store.findSessionBySecret(session.secretHash)) !== null) throw new Error('Taken.');
          await store.insertSession(session);
        },
      };
    },
  },
  {
    promise: RESERVED,
    fault: 'keeps the first reservation',
    create: replacing((_, { sessionSubscriptions }) => ({
      reserveForSession: async (row) => void sessionSubscriptions.insert([{ ...row, submittedAt: null }]),
    })),
  },
  {
    promise: RESERVED,
    fault: 'keeps the reservation of the last caller, whatever its date',
    create: replacing((_, { sessionSubscriptions }) => ({
      reserveForSession: async (row) => void sessionSubscriptions.put([{ ...row, submittedAt: null }]),
    })),
  },
  {
    promise: SUBMITTED,
    fault: 'reserves anew what was submitted',
    create: replacing((operations, tables) => ({
      async reserveForSession(row) {
        await operations.reserveForSession(row);
        writeRow(tables, { ...row, submittedAt: null }, (stored) => ({
          ...stored,
          reservedAt: row.reservedAt,
        }));
      },
    })),
  },
  {
    promise: SUBMITTED,
    fault: 'keeps the last submit',
    create: replacing((_, tables) => ({
      submitForSession: async (sessionId, subscriptionId, at) =>
        writeRow(tables, { sessionId, subscriptionId, reservedAt: at, submittedAt: at }, (row) => ({
          ...row,
          submittedAt: at,
        })),
    })),
  },
  {
    promise: SUBMITTED,
    fault: 'forgets when a subscription was reserved once it is submitted',
    create: replacing((operations, { sessionSubscriptions }) => ({
      async submitForSession(sessionId, subscriptionId, at) {
        const stored = sessionSubscriptions.get(sessionSubscriptionKey({ sessionId, subscriptionId }));
        if (stored?.submittedAt === null) sessionSubscriptions.delete([sessionSubscriptionKey(stored)]);
        await operations.submitForSession(sessionId, subscriptionId, at);
      },
    })),
  },
  {
    promise: INSERTED,
    fault: 'submits only what was reserved',
    create: replacing((operations, { sessionSubscriptions }) => ({
      async submitForSession(sessionId, subscriptionId, at) {
        if (sessionSubscriptions.get(sessionSubscriptionKey({ sessionId, subscriptionId })) !== null)
          await operations.submitForSession(sessionId, subscriptionId, at);
      },
    })),
  },
  {
    promise: UNKNOWN,
    fault: 'stores the reservation of a session that is not stored',
    create: replacing((_, { sessionSubscriptions }) => ({
      reserveForSession: async (row) => void sessionSubscriptions.insert([{ ...row, submittedAt: null }]),
    })),
  },
  {
    promise: UNKNOWN,
    fault: 'throws for a session that is not stored',
    create: replacing((operations, { sessions }) => ({
      async submitForSession(sessionId, subscriptionId, at) {
        if (sessions.get(sessionId) === null) throw new Error('There is no such session.');
        await operations.submitForSession(sessionId, subscriptionId, at);
      },
    })),
  },
  {
    promise: LISTED,
    fault: 'lists the subscriptions of a session oldest first',
    create: replacing(reversing('listSessionSubscriptions')),
  },
  {
    promise: LISTED,
    fault: 'lists the subscriptions of every session',
    create: replacing((operations, { sessions }) => ({
      listSessionSubscriptions: async () =>
        (await Promise.all(sessions.all().map(({ id }) => operations.listSessionSubscriptions(id)))).flat(),
    })),
  },
  alsoPending(
    'counts what was submitted too',
    ({ id }, { signedTerms }) => signedTerms.where('subscription', id).length > 0,
  ),
  alsoPending(
    'counts what expired too',
    ({ status, reservedByLink }) => status === 'expired' && reservedByLink !== null,
  ),
  alsoPending(
    'counts what sessions without a link reserved',
    ({ status, reservedByLink }) => status === 'pending' && reservedByLink === null,
  ),
  alsoPending(
    'counts what links of every project reserved',
    ({ projectId }, _, ofProject) => projectId !== ofProject,
  ),
  {
    promise: PENDING,
    fault: 'reads the newest in place of the one that expires first',
    create: replacing((operations, { subscriptions }) => ({
      readPendingOfLinks: async (projectId) => ({
        ...(await operations.readPendingOfLinks(projectId)),
        oldest: subscriptions.all().at(-1) ?? null,
      }),
    })),
  },
];

const LOOK = 'keeps the last look of each project as it was written';

/** Stores that break a promise about the look of a project. */
const OF_LOOKS: readonly BrokenStore[] = [
  {
    promise: LOOK,
    fault: 'keeps the first look',
    create: replacing((operations, { projectLooks }) => ({
      async saveProjectLook(look) {
        if (projectLooks.get(look.projectId) === null) await operations.saveProjectLook(look);
      },
    })),
  },
  {
    promise: LOOK,
    fault: 'finds the look of another project',
    create: replacing((_, { projectLooks }) => ({
      findProjectLook: async () => projectLooks.all()[0] ?? null,
    })),
  },
  {
    promise: 'keeps one whole look of many racing callers',
    fault: 'keeps the colour of the first caller with the picture of the last',
    create: replacing((_, { projectLooks }) => ({
      async saveProjectLook(look) {
        const { accent } = projectLooks.get(look.projectId) ?? look;
        projectLooks.put([{ ...look, accent }]);
      },
    })),
  },
  {
    promise: LOOK,
    fault: 'cuts a long picture',
    create: replacing((operations) => ({
      saveProjectLook: (look) =>
        operations.saveProjectLook({ ...look, logo: look.logo?.slice(0, 255) ?? null }),
    })),
  },
];

/** Stores that break a promise about links. */
const OF_LINKS: readonly BrokenStore[] = [
  {
    promise: 'reads a link as it was written',
    fault: 'hides a link that was ended',
    create: replacing((_, { links }) => ({
      async findLink(id) {
        const link = links.get(id);
        return link?.endedAt === null ? link : null;
      },
    })),
  },
  {
    promise: 'refuses a second link with one id',
    fault: 'replaces a link that has the id',
    create: replacing((_, { links }) => ({ insertLink: async (link) => void links.put([link]) })),
  },
  {
    promise: 'lists every link of a project newest first, then by id, ended ones too',
    fault: 'lists links oldest first',
    create: replacing(reversing('listLinks')),
  },
  {
    promise: 'lists every link of a project newest first, then by id, ended ones too',
    fault: 'leaves ended links out of the list',
    create: replacing((operations) => ({
      listLinks: async (projectId) =>
        (await operations.listLinks(projectId)).filter(({ endedAt }) => endedAt === null),
    })),
  },
  {
    promise: 'ends a link once, for the first of many racing callers, and none of another project',
    fault: 'ends a link at the instant of the last caller',
    create: replacing((operations, { links }) => ({
      async endLink(projectId, id, at) {
        const link = links.get(id);
        if (link?.projectId === projectId) links.put([{ ...link, endedAt: null }]);
        return operations.endLink(projectId, id, at);
      },
    })),
  },
  {
    promise: 'ends a link once, for the first of many racing callers, and none of another project',
    fault: 'ends the link of another project',
    create: replacing((operations, { links }) => ({
      endLink: (projectId, id, at) => operations.endLink(links.get(id)?.projectId ?? projectId, id, at),
    })),
  },
];

const DELETED = 'deletes sessions by when they expired, oldest first, a batch at a time, with their rows';

const VISITS =
  'deletes the visits of links that submitted nothing by when they expired, and no other session';

/** Stores that delete other sessions than they should, or a part of one. */
const OF_DELETION: readonly BrokenStore[] = [
  {
    promise: DELETED,
    fault: 'deletes sessions by when they were made',
    create: replacing((_, { sessions }) => ({
      async deleteSessions(expiredBefore) {
        const old = sessions.all().filter(({ createdAt }) => createdAt < expiredBefore);
        sessions.delete(old.map(({ id }) => id));
        return { changed: old.length, next: null };
      },
    })),
  },
  {
    promise: DELETED,
    fault: 'leaves the rows of a session that it deletes',
    create: replacing((operations, { sessionSubscriptions }) => ({
      async deleteSessions(expiredBefore, limit, after) {
        const rows = sessionSubscriptions.all();
        const batch = await operations.deleteSessions(expiredBefore, limit, after);
        sessionSubscriptions.put(rows);
        return batch;
      },
    })),
  },
  {
    promise: VISITS,
    fault: 'deletes the sessions of a server that submitted nothing',
    create: replacing((operations) => ({
      deleteUnusedVisits: (expiredBefore, limit, after) =>
        operations.deleteSessions(expiredBefore, limit, after),
    })),
  },
  {
    promise: VISITS,
    fault: 'keeps the visits that reserved something',
    create: replacing((operations, { sessions, sessionSubscriptions }) => ({
      async deleteUnusedVisits(expiredBefore, limit, after) {
        const built = sessions.all().filter(({ id }) => sessionSubscriptions.where('session', id).length > 0);
        const batch = await operations.deleteUnusedVisits(expiredBefore, limit, after);
        sessions.put(built);
        return { ...batch, changed: 0 };
      },
    })),
  },
  {
    promise: VISITS,
    fault: 'leaves the rows of a visit that it deletes',
    create: replacing((operations, { sessionSubscriptions }) => ({
      async deleteUnusedVisits(expiredBefore, limit, after) {
        const rows = sessionSubscriptions.all();
        const batch = await operations.deleteUnusedVisits(expiredBefore, limit, after);
        sessionSubscriptions.put(rows);
        return batch;
      },
    })),
  },
  {
    promise: 'deletes each session once, of many racing callers',
    fault: 'counts the sessions that another caller deleted',
    create: replacing((operations) => {
      let most = 0;
      return {
        async deleteSessions(expiredBefore, limit, after) {
          const batch = await operations.deleteSessions(expiredBefore, limit, after);
          most = Math.max(most, batch.changed);
          return { ...batch, changed: most };
        },
      };
    }),
  },
  {
    promise: 'deletes the sessions, the links and the look of a project with it, and no others',
    fault: 'leaves the sessions of a project that it deletes',
    create: replacing((operations, { sessions }) => ({
      async deleteProject(id) {
        const before = sessions.all();
        const result = await operations.deleteProject(id);
        sessions.put(before);
        return result;
      },
    })),
  },
  {
    promise: 'deletes the sessions, the links and the look of a project with it, and no others',
    fault: 'leaves the look of a project that it deletes',
    create: replacing((operations, { projectLooks }) => ({
      async deleteProject(id) {
        const before = projectLooks.all();
        const result = await operations.deleteProject(id);
        projectLooks.put(before);
        return result;
      },
    })),
  },
  {
    promise: 'deletes the sessions, the links and the look of a project with it, and no others',
    fault: 'deletes the links of every project with one',
    create: replacing((operations, { links }) => ({
      async deleteProject(id) {
        const result = await operations.deleteProject(id);
        if (result === 'deleted') links.delete(links.all().map((link) => link.id));
        return result;
      },
    })),
  },
  {
    promise: 'keeps what a session has of a checkout that retention deletes',
    fault: 'deletes what sessions have of an expired checkout with it',
    create: replacing((operations, { subscriptions, sessionSubscriptions }) => ({
      async deleteExpiredCheckouts(expiredBefore, limit, after) {
        const batch = await operations.deleteExpiredCheckouts(expiredBefore, limit, after);
        const gone = sessionSubscriptions
          .all()
          .filter((row) => subscriptions.get(row.subscriptionId) === null);
        sessionSubscriptions.delete(gone.map(sessionSubscriptionKey));
        return batch;
      },
    })),
  },
];

export const BROKEN_SESSIONS: readonly BrokenStore[] = [
  ...OF_SESSIONS,
  ...OF_LOOKS,
  ...OF_LINKS,
  ...OF_DELETION,
];

/** Changes the row of a session, or inserts one. */
function writeRow(
  { sessionSubscriptions }: Tables,
  row: SessionSubscription,
  change: (stored: SessionSubscription) => SessionSubscription,
): void {
  sessionSubscriptions.put([change(sessionSubscriptions.get(sessionSubscriptionKey(row)) ?? row)]);
}

/** A store that counts some other subscriptions too as kept pending by links. */
function alsoPending(
  fault: string,
  also: (row: Subscription, tables: Tables, projectId: string) => boolean,
): BrokenStore {
  const create = replacing((operations, tables) => ({
    async readPendingOfLinks(projectId) {
      const { count, oldest } = await operations.readPendingOfLinks(projectId);
      const others = tables.subscriptions.all().filter((row) => also(row, tables, projectId));
      return { count: count + others.length, oldest };
    },
  }));
  return { promise: PENDING, fault, create };
}
