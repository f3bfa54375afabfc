import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionPage } from '../../contract/page.js';
import type { SubscriptionsQuery } from '../../contract/requests.js';
import type { Project, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { customerOfQuery } from '../customer.js';
import { requireOncePublishedPlan } from '../plans/published-plan.js';

/** One customer's subscriptions, newest first, without superseded ones (lists#expired-and-superseded-subscriptions). */
export async function listSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionsQuery,
): Promise<SubscriptionPage> {
  const customer = customerOfQuery(query);
  const onlyPlan =
    query.plan === undefined ? null : await requireOncePublishedPlan(service, project, query.plan);
  const page = await service.store.listByCustomer(project.id, customer, onlyPlan?.id ?? null, {
    limit: query.limit,
    startingAfter: (query.starting_after ?? null) as SubscriptionId | null,
  });
  if (page === 'unknown_cursor') throw unknownCursor();
  const now = service.clock.now();
  const tier = service.settings.tiers[project.tier];
  return {
    data: page.data.map(({ subscription, plan }) => subscriptionWire(subscription, { plan, tier, now })),
    has_more: page.hasMore,
  };
}

/** The refusal of a cursor that is not the id of an item of the list (lists#unknown-cursor). */
export function unknownCursor(): ServiceError {
  return new ServiceError('invalid_request', {
    sentences: ['"starting_after" is not the id of an item of this list.'],
  });
}
