import { createHandler } from '../../../http/handler.js';
import { callerOf, json, PROJECT, serviceFixture, type Answer } from '../../../http/tests/fixtures.js';
import type { Chain } from '../../../ports/index.js';
import type { Link, Plan, Session, SessionSubscription, Subscription } from '../../../records/index.js';
import { aPlan } from '../../../testing/records.js';

export const PRO = aPlan({ projectId: PROJECT.id, slug: 'pro' });

interface SessionRecords {
  readonly plans?: readonly Plan[];
  readonly subscriptions?: readonly Subscription[];
  readonly network?: Chain['network'];
}

/** A service whose store has these records, and what it then stored. */
export function sessionsOf({ plans = [PRO], subscriptions = [], network = 'devnet' }: SessionRecords = {}) {
  const sessions: Session[] = [];
  const rows: SessionSubscription[] = [];
  const links: Link[] = [];
  const { billing, clock } = serviceFixture({
    chain: { network, readGenesis: async () => ({ ok: true, value: { hash: 'genesis', network } }) },
    store: {
      findProject: async (id) => (id === PROJECT.id ? PROJECT : null),
      findPlan: async (id) => plans.find((plan) => plan.id === id) ?? null,
      findPlanBySlug: async (_, slug) => plans.find((plan) => plan.slug === slug) ?? null,
      findSubscription: async (projectId, id) =>
        subscriptions.find((one) => one.projectId === projectId && one.id === id) ?? null,
      insertSession: async (session) => {
        sessions.push(session);
      },
      findSession: async (projectId, id) =>
        sessions.find((one) => one.projectId === projectId && one.id === id) ?? null,
      listSessionSubscriptions: async (sessionId) => rows.filter((row) => row.sessionId === sessionId),
      insertLink: async (link) => {
        links.push(link);
      },
      listLinks: async () => links.toReversed(),
      endLink: async (_, id, at) => {
        const place = links.findIndex((link) => link.id === id);
        const link = links[place];
        if (link === undefined) return null;
        return (links[place] = link.endedAt === null ? { ...link, endedAt: at } : link);
      },
    },
  });
  const call = callerOf(createHandler(billing));
  const post = (path: string, body: object): Promise<Answer> => call(path, json(body));
  return { shop: billing.project(PROJECT.id), clock, call, post, sessions, rows, links };
}
