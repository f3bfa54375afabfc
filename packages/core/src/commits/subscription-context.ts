import type { Plan, Project, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import type { Service } from '../service.js';

/** A subscription with the plan and the project that it belongs to. */
export interface SubscriptionContext {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/** The facts that the rules need besides a subscription, at this moment. */
export function atNow(
  service: Service,
  { project, plan }: Pick<SubscriptionContext, 'project' | 'plan'>,
): At {
  return { plan, tier: service.settings.tiers[project.tier], now: service.clock.now() };
}
