import type { Plan, Project, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import type { Service } from '../service.js';

/** A subscription with the plan and the project that it belongs to. */
export interface SubscriptionContext {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/** The subscription that a checkout replaces, with its plan; null for a checkout that replaces none. */
export async function findReplaced(
  { store }: Pick<Service, 'store'>,
  project: Project,
  { id, previousId }: Pick<Subscription, 'id' | 'previousId'>,
): Promise<SubscriptionContext | null> {
  if (previousId === null) return null;
  const subscription = await store.findSubscription(project.id, previousId);
  const plan = subscription === null ? null : await store.findPlan(subscription.planId);
  if (subscription === null || plan === null)
    throw new Error(`Subscription ${previousId}, which ${id} replaces, is not in the store.`);
  return { project, plan, subscription };
}

/** The facts that the rules need besides a subscription, at this moment. */
export function atNow(
  service: Service,
  { project, plan }: Pick<SubscriptionContext, 'project' | 'plan'>,
): At {
  return { plan, tier: service.settings.tiers[project.tier], now: service.clock.now() };
}
