import type { Tier } from '../contract/tiers.js';
import type { Plan, PlanForAccess } from '../records/index.js';

/**
 * What the rules need to know besides a subscription: its plan, the tier of its project and the instant. Access needs
 * only a part of the plan, so that a store need not read the rest of it.
 */
export interface At<KnownPlan extends PlanForAccess = Plan> {
  readonly plan: KnownPlan;
  readonly tier: Tier;
  readonly now: Date;
}
