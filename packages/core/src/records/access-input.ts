import type { Plan } from './plan.js';
import type { Subscription } from './subscription.js';

/**
 * The fields of a subscription that access is derived from: less than half of them, and none of a checkout's
 * long texts. The check of access is the most frequent request, so a store may read only these.
 */
export const SUBSCRIPTION_ACCESS_FIELDS = [
  'id',
  'status',
  'wallet',
  'externalId',
  'email',
  'customerTyped',
  'endReason',
  'lateReason',
  'stopReason',
  'pausedAt',
  'blockedSince',
  'blockedReason',
  'blockedAccessUntil',
  'paidPeriodEnd',
  'late',
  'cancellation',
  'nextTryAt',
  'termsSigned',
  'createdAt',
  'confirmedAt',
  'closedAt',
] as const satisfies readonly (keyof Subscription)[];

/** The fields of a plan that access is derived from. */
export const PLAN_ACCESS_FIELDS = [
  'id',
  'slug',
  'periodHours',
  'endsAt',
  'retryPolicy',
] as const satisfies readonly (keyof Plan)[];

/** A subscription, reduced to the fields that access is derived from. */
export type SubscriptionForAccess = Pick<Subscription, (typeof SUBSCRIPTION_ACCESS_FIELDS)[number]>;

/** A plan, reduced to the fields that access is derived from. */
export type PlanForAccess = Pick<Plan, (typeof PLAN_ACCESS_FIELDS)[number]>;

/** A subscription and its plan, with the fields that access is derived from. */
export interface AccessInput {
  readonly subscription: SubscriptionForAccess;
  readonly plan: PlanForAccess;
}
