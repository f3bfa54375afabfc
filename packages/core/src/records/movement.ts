import type { MovementId, PlanId, ProjectId, SubscriptionId } from './ids.js';

/**
 * A change of what a subscription counts as: whether it runs, and whether it recurs, which is to be active
 * and paid or in grace. Movements are never deleted, so figures can be counted anew.
 */
export interface Movement {
  readonly id: MovementId;
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  readonly subscriptionId: SubscriptionId;
  readonly at: Date;
  /** Whether it began, came back or ended, or runs and only ceased to recur or recurs again. */
  readonly kind: 'new' | 'comeback' | 'reinstated' | 'ended' | 'lapsed' | 'restored';
  /** Why it ended or lapsed; null of every other kind. */
  readonly reason: string | null;
  /** 1 when it recurs from then on, -1 when it no longer does, 0 when that stays as it was. */
  readonly recurring: -1 | 0 | 1;
  /** When its first payment was confirmed, which names its cohort. */
  readonly begunAt: Date;
}
