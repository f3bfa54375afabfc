import type { Subscription } from './subscription.js';

/**
 * The fields of a subscription that say what comes next, and for whom: none of a checkout's long texts. A
 * report reads those of a whole project, so a store may read only these.
 */
export const SUBSCRIPTION_DUE_FIELDS = [
  'id',
  'planId',
  'status',
  'wallet',
  'externalId',
  'email',
  'pausedAt',
  'paidPeriodEnd',
  'late',
  'cancellation',
  'nextTryAt',
  'termsSigned',
] as const satisfies readonly (keyof Subscription)[];

/** A subscription, reduced to the fields that say what comes next, and for whom. */
export type DueSubscription = Pick<Subscription, (typeof SUBSCRIPTION_DUE_FIELDS)[number]>;
