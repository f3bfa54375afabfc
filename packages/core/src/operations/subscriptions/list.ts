import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionPage } from '../../contract/page.js';
import type { SubscriptionsQuery } from '../../contract/requests.js';
import type { Project, SubscriptionId } from '../../records/index.js';
import { subscriptionWire } from '../../wire/subscription.js';
import type { Service } from '../../service.js';
import { findOncePublishedPlan } from '../plans/published-plan.js';
import { namedCustomer } from '../customer.js';

/** One customer's subscriptions, newest first, without superseded ones (contract, list). */
export async function listSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionsQuery,
): Promise<SubscriptionPage> {
  const customer = namedCustomer(query);
  const plan = query.plan === undefined ? null : await findOncePublishedPlan(service, project, query.plan);
  const page = await service.store.listByCustomer(project.id, customer, plan?.id ?? null, {
    limit: query.limit,
    startingAfter: (query.starting_after ?? null) as SubscriptionId | null,
  });
  if (page === 'unknown_cursor') throw unknownCursor();
  const now = service.clock.now();
  const tier = service.settings.tiers[project.tier];
  return {
    data: page.data.map(({ subscription, plan: itsPlan }) =>
      subscriptionWire(subscription, itsPlan, tier, now),
    ),
    has_more: page.hasMore,
  };
}

/** lists#keyset-pagination: an id that is not in the list asked for. */
export function unknownCursor(): ServiceError {
  return new ServiceError('invalid_request', {
    sentences: ['"starting_after" is not the id of an item of this list.'],
  });
}
