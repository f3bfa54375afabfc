import type { SubscriptionContext } from '../commits/subscription-context.js';
import { ServiceError } from '../contract/errors.js';
import type { Project, SubscriptionId } from '../records/index.js';
import type { Service } from '../service.js';

/** Finds a subscription of the project, with its plan. Throws `subscription_not_found`. */
export async function requireSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionContext> {
  const subscription = await service.store.findSubscription(project.id, id as SubscriptionId);
  if (subscription === null) throw new ServiceError('subscription_not_found');
  const plan = await service.store.findPlan(subscription.planId);
  if (plan === null)
    throw new Error(`Plan ${subscription.planId} of subscription ${id} is not in the store.`);
  return { project, plan, subscription };
}
