import { ServiceError } from '../contract/errors.js';
import type { Plan, Project, Subscription, SubscriptionId } from '../records/index.js';
import type { Service } from '../service.js';

/** A subscription of the project with its plan. Throws `subscription_not_found`. */
export async function findSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<{ readonly subscription: Subscription; readonly plan: Plan }> {
  const subscription = await service.store.findSubscription(project.id, id as SubscriptionId);
  if (subscription === null) throw new ServiceError('subscription_not_found');
  const plan = await service.store.findPlan(subscription.planId);
  if (plan === null) throw new Error(`Plan ${subscription.planId} of a subscription does not exist.`);
  return { subscription, plan };
}
