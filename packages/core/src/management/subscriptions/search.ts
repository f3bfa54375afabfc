import { pageRequest, unknownCursor } from '../../operations/pages.js';
import { requireOncePublishedPlan } from '../../operations/require.js';
import type { SubscriptionFilter } from '../../ports/index.js';
import type { Project, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { setAside } from '../read-rows.js';
import type { SubscriptionSearch, SubscriptionSearchQuery } from './inputs.js';
import type { SubscriptionCount, SubscriptionSearchPage } from './schemas.js';

/** The most subscriptions that are counted. */
const MOST_COUNTED = 10_000;

/** Finds subscriptions of a whole project, newest first (management#subscription-search). */
export async function searchSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionSearchQuery,
): Promise<SubscriptionSearchPage> {
  const filter = await subscriptionFilter(service, project, query);
  const now = service.clock.now();
  const request = pageRequest<SubscriptionId>(query);
  const page = await service.store.searchSubscriptions(project.id, filter, now, request);
  if (page === 'unknown_cursor') throw unknownCursor();
  const tier = service.settings.tiers[project.tier];
  return {
    data: page.found.map((row) => subscriptionWire(row.subscription, { plan: row.plan, tier, now })),
    has_more: page.next !== null,
    next: page.next,
    unreadable: setAside(service, page.unreadable, 'A subscription was left out of a search'),
  };
}

/** Counts what a search would find, up to ten thousand (management#subscription-count). */
export async function countSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionSearch,
): Promise<SubscriptionCount> {
  const { store, clock } = service;
  const filter = await subscriptionFilter(service, project, query);
  const { count, more } = await store.countSubscriptions(project.id, filter, clock.now(), MOST_COUNTED);
  return { count, or_more: more };
}

/** The filter of a store for the fields of a search. Throws `plan_not_found`. */
export async function subscriptionFilter(
  service: Service,
  project: Project,
  query: SubscriptionSearch,
): Promise<SubscriptionFilter> {
  const plan = query.plan === undefined ? null : await requireOncePublishedPlan(service, project, query.plan);
  return {
    ...idOrAddress(query.id ?? null),
    wallet: query.wallet ?? null,
    externalId: query.external_id ?? null,
    email: query.email ?? null,
    planId: plan?.id ?? null,
    status: query.status ?? null,
    late: query.late ?? null,
    blocked: query.blocked ?? null,
    failing: query.failing ?? null,
    ending: query.ending ?? null,
  };
}

/** An id has an underscore after its prefix, which base58 has not. */
export function idOrAddress(text: string | null): Pick<SubscriptionFilter, 'id' | 'address'> {
  return text?.includes('_') === true
    ? { id: text as SubscriptionId, address: null }
    : { id: null, address: text };
}
