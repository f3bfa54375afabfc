import type { Tier } from '../contract/tiers.js';
import type { Plan, PlanForAccess } from '../records/index.js';

/**
 * The facts that the rules need besides a subscription: its plan, the tier of its project and the instant.
 * Access needs only a part of the plan, so that a store need not read the rest.
 */
export interface At<KnownPlan extends PlanForAccess = Plan> {
  readonly plan: KnownPlan;
  readonly tier: Tier;
  readonly now: Date;
  /** Whether the service sends mails, so that mails are written and reminders are due; absent for no. */
  readonly mails?: boolean;
}
