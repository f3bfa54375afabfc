import { atNow } from '../../commits/subscription-context.js';
import type { AttemptPage } from '../../contract/attempt.js';
import type { SubscriptionPage } from '../../contract/page.js';
import type { SubscriptionsQuery, AttemptsQuery } from '../../contract/requests.js';
import { toAmountText } from '../../contract/scalars.js';
import type { SubscriptionWire } from '../../contract/subscription.js';
import type { Project, SubscriptionId, AttemptId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { attemptWire } from '../../wire/attempt.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { pageRequest, pageWire } from '../pages.js';
import { requireOncePublishedPlan, requireSubscription } from '../require.js';
import { customerOfQuery } from './customer.js';

/** Newest first, without superseded ones (lists#expired-and-superseded-subscriptions). */
export async function listSubscriptions(
  service: Service,
  project: Project,
  query: SubscriptionsQuery,
): Promise<SubscriptionPage> {
  const customer = customerOfQuery(query);
  const onlyPlan =
    query.plan === undefined ? null : await requireOncePublishedPlan(service, project, query.plan);
  const request = pageRequest<SubscriptionId>(query);
  const page = await service.store.listByCustomer(project.id, customer, onlyPlan?.id ?? null, request);
  const now = service.clock.now();
  const tier = service.settings.tiers[project.tier];
  return pageWire(page, ({ subscription, plan }) => subscriptionWire(subscription, { plan, tier, now }));
}

/** A subscription as it is now, also a superseded one (coming-back#superseded-by-a-comeback). */
export async function retrieveSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionWire> {
  const context = await requireSubscription(service, project, id);
  return subscriptionWire(context.subscription, atNow(service, context));
}

/**
 * A page of the attempts of a subscription, newest first. `paid` sums up all of them
 * (lists#paid-totals-of-attempts).
 */
export async function listAttempts(
  service: Service,
  project: Project,
  id: string,
  query: AttemptsQuery,
): Promise<AttemptPage> {
  const { subscription } = await requireSubscription(service, project, id);
  const page = await service.store.listAttempts(subscription.id, pageRequest<AttemptId>(query));
  return {
    ...pageWire(page, attemptWire),
    paid: { count: subscription.paidCount, amount: toAmountText(subscription.paidAmount) },
  };
}
