import type { BatchCursor } from '../../../ports/store/batch.js';
import type { ManagementStore, RetentionStore } from '../../../ports/store.js';
import type { Session } from '../../../records/index.js';
import { expectEach, expectEqual } from '../../expect.js';
import { anId, aProject } from '../../records.js';
import { expectCounts, race } from '../expect.js';
import { at, storeFixture } from '../fixture.js';
import { allParts, INSTANTS } from '../pages.js';
import { reserved, storeLink, storeSession, storeVisit, type WithSessions } from '../session-fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** Sessions are deleted some time after they expired. */
export const deletedSessionTests: StoreTests<WithSessions> = {
  'deletes sessions by when they expired, oldest first, a batch at a time, with their rows': async ({
    store,
    raw,
  }) => {
    const fixture = await storeFixture(store);
    const link = await storeLink(store, fixture);
    const sessions: Session[] = [];
    for (const expiresAt of INSTANTS) {
      const session = await storeSession(store, fixture, { expiresAt, linkId: link.id });
      const { id } = await fixture.aStoredSubscription();
      await store.reserveForSession(reserved(session, 1, id));
      sessions.push(session);
    }
    const [oldest] = sessions
      .filter(({ expiresAt }) => expiresAt.getTime() === at(1).getTime())
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const first = await store.deleteSessions(at(9), 1, null);
    expectEqual(first, { changed: 1, next: { at: at(1), id: oldest?.id } }, 'the first batch of one');
    await expectCounts(raw, { sessions: 8, sessionSubscriptions: 8 });
    const rest = await allParts((after: typeof first.next) =>
      store.deleteSessions(at(9), 2, after ?? first.next),
    );
    expectEqual(
      rest.map(({ changed }) => changed),
      [2, 2, 2, 0],
      'how many the batches of two after it deleted',
    );
    for (const session of sessions) {
      const isLeft = session.expiresAt >= at(9);
      await expectEach(
        [
          () => store.findSession(fixture.project.id, session.id),
          isLeft ? session : null,
          'a session by its id',
        ],
        [
          async () => (await store.findSessionBySecret(session.secretHash))?.session ?? null,
          isLeft ? session : null,
          'a session by its secret',
        ],
        [
          async () => (await store.listSessionSubscriptions(session.id)).length,
          isLeft ? 1 : 0,
          'how many subscriptions a session has',
        ],
      );
    }
    await expectCounts(raw, { sessions: 2, sessionSubscriptions: 2, links: 1, subscriptions: 9 });
    expectEqual(
      await store.deleteSessions(at(9), 2, null),
      { changed: 0, next: null },
      'a batch when none is old enough',
    );
  },

  'deletes the visits of links that submitted nothing by when they expired, and no other session': async ({
    store,
    raw,
  }) => {
    const fixture = await storeFixture(store);
    const linkId = (await storeLink(store, fixture)).id;
    const kept: Session[] = [];
    for (const expiresAt of INSTANTS) {
      const unused = await storeSession(store, fixture, { expiresAt, linkId });
      await store.reserveForSession(reserved(unused, 1));
      if (expiresAt >= at(9)) kept.push(unused);
      const used = await storeSession(store, fixture, { expiresAt, linkId });
      await store.reserveForSession(reserved(used, 1));
      await store.submitForSession(used.id, anId('sub'), at(2));
      kept.push(used, await storeSession(store, fixture, { expiresAt }));
    }
    const parts = await allParts((after: BatchCursor | null) => store.deleteUnusedVisits(at(9), 2, after));
    expectEqual(
      parts.reduce((sum, { changed }) => sum + changed, 0),
      7,
      'how many sessions all batches deleted',
    );
    for (const session of kept)
      expectEqual(await store.findSession(fixture.project.id, session.id), session, 'a session that stays');
    await expectCounts(raw, {
      sessions: kept.length,
      sessionSubscriptions: 2 + 2 * INSTANTS.length,
      links: 1,
    });
  },

  'deletes each session once, of many racing callers': async (underTest) => {
    const { store, raw } = underTest;
    const fixture = await storeFixture(store);
    for (const expiresAt of INSTANTS) await storeSession(store, fixture, { expiresAt });
    const batches = await race(underTest, 6, (through) => through.deleteSessions(at(9), 99, null));
    expectEqual(
      batches.reduce((sum, { changed }) => sum + changed, 0),
      7,
      'how many sessions all callers deleted',
    );
    await expectCounts(raw, { sessions: 2 });
  },
};

/** What the deletion of a project does to its sessions. */
export const sessionsOfDeletedProjectTests: StoreTests<WithSessions & ManagementStore> = {
  'deletes the sessions, the links and the look of a project with it, and no others': async ({
    store,
    raw,
  }) => {
    const fixture = await storeFixture(store);
    const kept = await storeVisit(store, fixture);
    await store.reserveForSession(reserved(kept, 1, (await fixture.aStoredSubscription()).id));
    const empty = { ...fixture, project: aProject() };
    await store.insertProject(empty.project);
    const lookOf = ({ project }: typeof fixture) => ({
      projectId: project.id,
      accent: '#000000',
      logo: null,
    });
    for (const one of [fixture, empty]) await store.saveProjectLook(lookOf(one));
    const portal = await storeSession(store, empty, { id: anId('prt'), kind: 'portal' });
    const visit = await storeVisit(store, empty);
    await store.reserveForSession(reserved(visit, 1, (await fixture.aStoredSubscription()).id));
    expectEqual(await store.deleteProject(fixture.project.id), 'in_use', 'the result for one with a plan');
    await expectCounts(raw, { sessions: 3, sessionSubscriptions: 2, links: 2 });
    expectEqual(await store.deleteProject(empty.project.id), 'deleted', 'the result for one without plans');
    await expectCounts(raw, { projects: 1, sessions: 1, sessionSubscriptions: 1, links: 1 });
    for (const { secretHash } of [portal, visit])
      expectEqual(await store.findSessionBySecret(secretHash), null, 'a session of the deleted project');
    expectEqual(await store.findProjectLook(empty.project.id), null, 'the look of the deleted project');
    expectEqual(
      await store.findSessionBySecret(kept.secretHash),
      { session: kept, project: fixture.project },
      'the session of the other project',
    );
    expectEqual(await store.findProjectLook(fixture.project.id), lookOf(fixture), 'the look of that project');
  },
};

/** What the deletion of an expired checkout does to its sessions. */
export const sessionsOfDeletedCheckoutTests: StoreTests<WithSessions & RetentionStore> = {
  'keeps what a session has of a checkout that retention deletes': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const expired = await fixture.aStoredSubscription({ status: 'expired', lastEventAt: at(5) });
    const session = await storeSession(store, fixture, { subscriptionId: expired.id });
    await store.reserveForSession(reserved(session, 1, expired.id));
    const deleted = await store.deleteExpiredCheckouts(at(9), 9, null);
    expectEqual(deleted, { changed: 1, next: null }, 'the batch with an expired checkout');
    expectEqual(await raw.subscription(expired.id), null, 'the expired checkout');
    expectEqual(await store.findSession(fixture.project.id, session.id), session, 'its session');
    expectEqual(
      await store.listSessionSubscriptions(session.id),
      [{ ...reserved(session, 1, expired.id), submittedAt: null }],
      'what the session has of it',
    );
  },
};
