import type { Page, PageRequest, Plan, Subscription, SubscriptionId } from '@subrail/core/ports';
import { pageOf } from './order.js';
import type { Tables } from './tables.js';

/** A page of the subscriptions that are not superseded, with their plans. */
export function pageWithPlans(
  { plans }: Tables,
  all: readonly Subscription[],
  page: PageRequest<SubscriptionId>,
): Page<{ readonly subscription: Subscription; readonly plan: Plan }> | 'unknown_cursor' {
  const listed = pageOf(
    all.filter(({ status }) => status !== 'superseded'),
    page,
  );
  if (listed === 'unknown_cursor') return listed;
  const data = listed.data.map((subscription) => ({ subscription, plan: planOf(plans, subscription) }));
  return { ...listed, data };
}

/** The plan of a subscription, which is always inserted first. */
export function planOf(plans: Tables['plans'], subscription: Subscription): Plan {
  const plan = plans.get(subscription.planId);
  if (plan === null)
    throw new Error(
      `Subscription ${subscription.id} names plan ${subscription.planId}, which is not in the store: insert the plan first.`,
    );
  return plan;
}
