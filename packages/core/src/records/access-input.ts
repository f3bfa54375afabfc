import type { Plan } from './plan.js';
import type { Subscription } from './subscription.js';

/**
 * What of a subscription access is told from (access#computed-at-the-instant-asked, access#access-by-state): less than half of it, and nothing of a checkout's long texts. Access
 * is asked for more often than anything else, so a store need not read the rest.
 */
export const SUBSCRIPTION_ACCESS_FIELDS = [
  'id',
  'status',
  'wallet',
  'externalId',
  'email',
  'endReason',
  'lateReason',
  'stopReason',
  'pausedAt',
  'blockedSince',
  'blockedReason',
  'paidPeriodEnd',
  'late',
  'cancellation',
  'nextTryAt',
  'termsSigned',
  'createdAt',
  'confirmedAt',
  'closedAt',
] as const satisfies readonly (keyof Subscription)[];

/** What of its plan. */
export const PLAN_ACCESS_FIELDS = [
  'id',
  'slug',
  'periodHours',
  'endsAt',
  'retryPolicy',
] as const satisfies readonly (keyof Plan)[];

export type SubscriptionForAccess = Pick<Subscription, (typeof SUBSCRIPTION_ACCESS_FIELDS)[number]>;
export type PlanForAccess = Pick<Plan, (typeof PLAN_ACCESS_FIELDS)[number]>;

/** A subscription and its plan, as far as access is told from them. */
export interface AccessInput {
  readonly subscription: SubscriptionForAccess;
  readonly plan: PlanForAccess;
}
