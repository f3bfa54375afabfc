import type { Tier } from '../contract/tiers.js';
import type { Plan, PlanForAccess } from '../records/index.js';

/**
 * What a subscription is judged by: its plan, the tier of its project and the instant. Access needs only a part of the
 * plan, so that a store need not read the rest of it.
 */
export interface At<JudgedPlan extends PlanForAccess = Plan> {
  readonly plan: JudgedPlan;
  readonly tier: Tier;
  readonly now: Date;
}
