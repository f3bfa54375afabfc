import type { SessionStore, Store } from '../../ports/store.js';
import type { Link, Session, SessionSubscription, SubscriptionId } from '../../records/index.js';
import { aLink, anId, aSession } from '../records.js';
import { at, type Fixture } from './fixture.js';

/** A store that has sessions. */
export type WithSessions = Store & SessionStore;

/** Stores a session of the project. */
export async function storeSession(
  store: WithSessions,
  { project }: Fixture,
  given: Partial<Session> = {},
): Promise<Session> {
  const session = aSession({ projectId: project.id, ...given });
  await store.insertSession(session);
  return session;
}

/** Stores a link of the project. */
export async function storeLink(
  store: WithSessions,
  { project, plan }: Fixture,
  given: Partial<Link> = {},
): Promise<Link> {
  const link = aLink({ projectId: project.id, planId: plan.id, ...given });
  await store.insertLink(link);
  return link;
}

/** Stores a session that a link of the project opened. */
export async function storeVisit(store: WithSessions, fixture: Fixture): Promise<Session> {
  return storeSession(store, fixture, { linkId: (await storeLink(store, fixture)).id });
}

/** The reservation of a session, of a subscription that need not be stored. */
export const reserved = (
  { id: sessionId }: Session,
  ms: number,
  subscriptionId: SubscriptionId = anId('sub'),
): Omit<SessionSubscription, 'submittedAt'> => ({ sessionId, subscriptionId, reservedAt: at(ms) });
