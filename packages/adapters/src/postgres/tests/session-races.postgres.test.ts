import type { FullStore, FullStoreOperations, Session, SessionId } from '@subrail/core/ports';
import { aLink, anId, aPlan, aProject, aSession, MADE_AT } from '@subrail/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { untilOneWaits } from './until-one-waits.js';
import { useDatabase } from './use-database.js';

const LATER = new Date(MADE_AT.getTime() + 2 * 86_400_000);
const DELETED = 'delete from sessions where id = $1';
const BUILT =
  "insert into session_subscriptions (session_id, subscription_id, reserved_at) values ($1, 'sub_1', 0)";
const SUBMITTED =
  "insert into session_subscriptions (session_id, subscription_id, reserved_at, submitted_at) values ($1, 'sub_1', 0, 0)";

const { open, operator } = useDatabase();
let store: FullStore;
let other: Awaited<ReturnType<typeof operator>>;
const project = aProject();
beforeEach(async () => {
  store = await open();
  other = await operator();
  await store.insertProject(project);
});

async function storedSession(): Promise<SessionId> {
  const session = aSession({ projectId: project.id });
  await store.insertSession(session);
  return session.id;
}

/** Makes a call while another connection has written to the session and not committed it yet. */
async function callDuring<T>(write: string, id: SessionId, call: () => Promise<T>): Promise<T> {
  await other.query('begin');
  await other.query(write, [id]);
  const making = call();
  await untilOneWaits(other);
  await other.query('commit');
  return making;
}

const rowsOf = async (id: SessionId) =>
  (await other.query('select 1 from session_subscriptions where session_id = $1', [id])).rowCount;

type Building = Pick<FullStoreOperations, 'reserveForSession' | 'submitForSession'>;

const reserve = (operations: Building, sessionId: SessionId) =>
  operations.reserveForSession({ sessionId, subscriptionId: anId('sub'), reservedAt: MADE_AT });
const submit = (operations: Building, sessionId: SessionId) =>
  operations.submitForSession(sessionId, anId('sub'), MADE_AT);

test.each<[string, (id: SessionId) => Promise<void>]>([
  ['reserves', (id) => reserve(store, id)],
  ['reserves in a transaction', (id) => store.transaction((operations) => reserve(operations, id))],
  ['submits', (id) => submit(store, id)],
])('a session that %s while it is deleted leaves nothing behind', async (_, build) => {
  const id = await storedSession();
  await callDuring(DELETED, id, () => build(id));
  expect(await rowsOf(id)).toBe(0);
});

test('a session that builds something while retention deletes it is deleted with that', async () => {
  const id = await storedSession();
  expect(await callDuring(BUILT, id, () => store.deleteSessions(LATER, 10, null))).toEqual({
    changed: 1,
    next: null,
  });
  expect(await rowsOf(id)).toBe(0);
});

test('a visit of a link that submits something while retention deletes it stays', async () => {
  const plan = aPlan({ projectId: project.id });
  await store.insertPlan(plan);
  const link = aLink({ projectId: project.id, planId: plan.id });
  await store.insertLink(link);
  const visits = [anId('chk'), anId('chk')].map((id) =>
    aSession({ id, projectId: project.id, linkId: link.id }),
  );
  for (const visit of visits) await store.insertSession(visit);
  const [{ id }] = visits as [Session, Session];
  expect(await callDuring(SUBMITTED, id, () => store.deleteUnusedVisits(LATER, 10, null))).toEqual({
    changed: 1,
    next: null,
  });
  expect(await rowsOf(id)).toBe(1);
});

test('a session that is deleted by another host meanwhile is counted by that one', async () => {
  const id = await storedSession();
  await storedSession();
  expect(await callDuring(DELETED, id, () => store.deleteSessions(LATER, 10, null))).toEqual({
    changed: 1,
    next: null,
  });
});

test('a session that builds something while its project is deleted is deleted with that', async () => {
  const id = await storedSession();
  expect(await callDuring(BUILT, id, () => store.deleteProject(project.id))).toBe('deleted');
  expect(await rowsOf(id)).toBe(0);
  expect(await store.findProject(project.id)).toBeNull();
});
