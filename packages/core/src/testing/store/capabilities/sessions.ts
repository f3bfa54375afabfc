import type { SessionSubscription, Subscription } from '../../../records/index.js';
import { expectEach, expectEqual, expectRejection, expectThat } from '../../expect.js';
import { aCommit, anId, aSession } from '../../records.js';
import { expectCounts, race } from '../expect.js';
import { at, mustCommit, nextVersion, storeFixture, termsOf } from '../fixture.js';
import { INSTANTS, newestFirst } from '../pages.js';
import { reserved, storeLink, storeSession, type WithSessions } from '../session-fixture.js';
import type { StoreTests } from '../store-under-test.js';

const UNUSUAL_TEXT = 'Zoë\'s ☕ 𝄞 "\\ %_ ; -- null';

/** Sessions open by their secret, and remember for which subscriptions they built something. */
export const sessionTests: StoreTests<WithSessions> = {
  'reads a session as it was written, by its id and by its secret': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { project, plan } = fixture;
    const link = await storeLink(store, fixture);
    const subscription = await fixture.aStoredSubscription();
    const full = aSession({
      projectId: project.id,
      externalId: UNUSUAL_TEXT,
      email: 'reader@example.com',
      subscriptionId: subscription.id,
      planIds: [plan.id, anId('plan'), anId('plan')].reverse(),
      askEmail: true,
      successUrl: `https://example.com/?q=${UNUSUAL_TEXT}`,
      backUrl: 'https://example.com/back',
      locale: 'pt-BR',
      linkId: link.id,
      createdAt: at(1),
      expiresAt: at(123_456_789),
    });
    const bare = aSession({ id: anId('prt'), kind: 'portal', projectId: project.id });
    for (const session of [full, bare]) {
      await store.insertSession(session);
      await expectEach(
        [() => peer.findSession(project.id, session.id), session, `the ${session.kind}`],
        [
          () => peer.findSessionBySecret(session.secretHash),
          { session, project },
          `the ${session.kind} by its secret`,
        ],
      );
    }
  },

  'finds a session in its own project only, and none for an unknown secret': async ({ store }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const session = await storeSession(store, fixture);
    const other = await storeSession(store, elsewhere);
    await expectEach(
      [() => store.findSession(elsewhere.project.id, session.id), null, "another project's session"],
      [() => store.findSession(fixture.project.id, aSession().id), null, 'an unknown session'],
      [() => store.findSessionBySecret(aSession().secretHash), null, 'the session of an unknown secret'],
      [
        () => store.findSessionBySecret(other.secretHash),
        { session: other, project: elsewhere.project },
        'the session of the other project by its secret',
      ],
    );
  },

  'finds a session by its secret after it expired': async ({ store }) => {
    const fixture = await storeFixture(store);
    const session = await storeSession(store, fixture, { createdAt: new Date(0), expiresAt: new Date(1) });
    expectEqual(
      await store.findSessionBySecret(session.secretHash),
      { session, project: fixture.project },
      'an expired session by its secret',
    );
  },

  'refuses a second session with one id or one secret, of another project too': async ({ store, raw }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const session = await storeSession(store, fixture);
    const { id, secretHash } = session;
    const projectId = elsewhere.project.id;
    await expectRejection(store.insertSession(aSession({ id, projectId })), 'a second session with one id');
    await expectRejection(
      store.insertSession(aSession({ secretHash, projectId })),
      'a second session with one secret',
    );
    expectEqual(await store.findSession(fixture.project.id, id), session, 'the first session');
    await expectCounts(raw, { sessions: 1 });
  },

  'inserts one of many racing sessions with one secret': async (underTest) => {
    const { store, raw } = underTest;
    const fixture = await storeFixture(store);
    const { secretHash } = aSession();
    const results = await race(underTest, 6, (through) =>
      storeSession(through, fixture, { secretHash }).catch(() => null),
    );
    const [inserted, ...others] = results.filter((session) => session !== null);
    expectThat(inserted !== undefined && others.length === 0, 'one session to be inserted', results);
    expectEqual(
      (await store.findSessionBySecret(secretHash))?.session,
      inserted,
      'the session that is stored',
    );
    await expectCounts(raw, { sessions: 1 });
  },

  'keeps the last reservation of a subscription, of many racing callers too': async (underTest) => {
    const { store, peer, raw } = underTest;
    const fixture = await storeFixture(store);
    const session = await storeSession(store, fixture);
    const { id: subscriptionId } = await fixture.aStoredSubscription();
    await race(underTest, 8, (through, caller) =>
      through.reserveForSession(reserved(session, 10 + caller, subscriptionId)),
    );
    await peer.reserveForSession(reserved(session, 1, subscriptionId));
    expectEqual(
      await store.listSessionSubscriptions(session.id),
      [{ ...reserved(session, 17, subscriptionId), submittedAt: null }],
      'the row after the race and an earlier reservation',
    );
    await peer.reserveForSession(reserved(session, 99, subscriptionId));
    expectEqual(
      await store.listSessionSubscriptions(session.id),
      [{ ...reserved(session, 99, subscriptionId), submittedAt: null }],
      'the row after a later reservation',
    );
    await expectCounts(raw, { sessionSubscriptions: 1 });
  },

  'keeps the first submit of a subscription, of many racing callers too': async (underTest) => {
    const { store, peer, raw } = underTest;
    const fixture = await storeFixture(store);
    const session = await storeSession(store, fixture);
    const { id: subscriptionId } = await fixture.aStoredSubscription();
    await store.reserveForSession(reserved(session, 5, subscriptionId));
    await race(underTest, 8, (through, caller) =>
      through.submitForSession(session.id, subscriptionId, at(10 + caller)),
    );
    const [first, ...others] = await store.listSessionSubscriptions(session.id);
    expectThat(
      first !== undefined && first.submittedAt !== null && others.length === 0,
      'one submitted row after the race',
      first,
      ...others,
    );
    expectEqual(first.reservedAt, at(5), 'reservedAt of the row that was submitted');
    await peer.submitForSession(session.id, subscriptionId, at(1));
    await peer.submitForSession(session.id, subscriptionId, at(99));
    await peer.reserveForSession(reserved(session, 99, subscriptionId));
    expectEqual(await store.listSessionSubscriptions(session.id), [first], 'the row after further callers');
    await expectCounts(raw, { sessionSubscriptions: 1 });
  },

  'inserts what a session submits without having reserved it, once': async (underTest) => {
    const { store } = underTest;
    const fixture = await storeFixture(store);
    const session = await storeSession(store, fixture);
    const { id: subscriptionId } = await fixture.aStoredSubscription();
    await race(underTest, 6, (through, caller) =>
      through.submitForSession(session.id, subscriptionId, at(caller)),
    );
    const rows = await store.listSessionSubscriptions(session.id);
    const [first] = rows;
    expectThat(first !== undefined, 'a row of the session');
    const { reservedAt } = first;
    expectEqual(
      rows,
      [{ sessionId: session.id, subscriptionId, reservedAt, submittedAt: reservedAt }],
      'the rows of the session',
    );
  },

  'stores nothing of a session that is not stored': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const { id: subscriptionId } = await fixture.aStoredSubscription();
    const unknown = aSession();
    await store.reserveForSession(reserved(unknown, 1, subscriptionId));
    await store.submitForSession(unknown.id, subscriptionId, at(2));
    expectEqual(await store.listSessionSubscriptions(unknown.id), [], 'the subscriptions of no session');
    await expectCounts(raw, { sessions: 0, sessionSubscriptions: 0 });
  },

  'lists the subscriptions of a session by their reservation, newest first, then by id': async (
    underTest,
  ) => {
    const { store, peer } = underTest;
    const fixture = await storeFixture(store);
    const [session, other] = [await storeSession(store, fixture), await storeSession(store, fixture)];
    const rows: SessionSubscription[] = [];
    for (const [place, reservedAt] of INSTANTS.entries()) {
      const { id: subscriptionId } = await fixture.aStoredSubscription();
      const row = { sessionId: session.id, subscriptionId, reservedAt };
      await store.reserveForSession(row);
      // A later submit leaves the order as it is.
      if (place % 3 === 0) await store.submitForSession(session.id, subscriptionId, at(100 - place));
      rows.push({ ...row, submittedAt: place % 3 === 0 ? at(100 - place) : null });
      if (place === 0) await store.reserveForSession({ ...row, sessionId: other.id });
    }
    const byId = rows.map((row) => ({ id: row.subscriptionId, row }));
    const ordered = newestFirst(byId, ({ row }) => row.reservedAt);
    expectEqual(
      await peer.listSessionSubscriptions(session.id),
      ordered.map((id) => rows.find(({ subscriptionId }) => subscriptionId === id)),
      'the subscriptions of a session',
    );
    expectEqual((await peer.listSessionSubscriptions(other.id)).length, 1, 'how many the other session has');
  },

  'reads what links of a project keep pending without signed terms, and what expires first of it': async ({
    store,
    peer,
  }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const { id: projectId } = fixture.project;
    expectEqual(await store.readPendingOfLinks(projectId), { count: 0, oldest: null }, 'the links of none');
    const ofLink = (ms: number, given: Partial<Subscription> = {}) =>
      fixture.aCheckout({
        ...{ reservedFor: anId('chk'), reservedByLink: anId('lnk'), checkoutExpiresAt: at(ms) },
        ...given,
      });
    const [later, oldest, latest, submitted] = [ofLink(6), ofLink(5), ofLink(7), ofLink(3)];
    await mustCommit(store, ...[later, oldest, latest].map((one) => aCommit(one)));
    await mustCommit(
      store,
      aCommit(ofLink(1, { reservedByLink: null })),
      aCommit(ofLink(2, { status: 'expired', checkoutExpiresAt: null })),
      aCommit(submitted, { signedTerms: termsOf(submitted, 'signature') }),
      aCommit(elsewhere.aCheckout({ reservedByLink: anId('lnk'), checkoutExpiresAt: at(4) })),
    );
    expectEqual(await peer.readPendingOfLinks(projectId), { count: 3, oldest }, 'what links keep pending');
    const next = nextVersion(oldest);
    await mustCommit(store, aCommit(next, { signedTerms: termsOf(next, 'another signature') }));
    expectEqual(
      await peer.readPendingOfLinks(projectId),
      { count: 2, oldest: later },
      'what they keep pending once one has signed terms',
    );
  },
};
