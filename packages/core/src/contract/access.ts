import * as z from 'zod';

import { AttemptWire } from './attempt.js';
import { SubscriptionStatus } from './enums.js';
import { isoDate } from './scalars.js';
import { SubscriptionWire } from './subscription.js';

/** One of the last attempts of a subscription, as an access answer shows it. */
export const AccessAttempt = AttemptWire.pick({
  outcome: true,
  reason: true,
  amount: true,
  attempted_at: true,
  signature: true,
});
export type AccessAttempt = z.infer<typeof AccessAttempt>;

/**
 * The access of one customer to one plan, by the subscription that decides it. `status` is `none` when the customer has no
 * subscription to the plan, or only checkouts that expired.
 */
export const AccessAnswer = z.strictObject({
  wallet: z.string().nullable(),
  plan: z.string(),
  subscription_id: z.string().nullable(),
  access: z.boolean(),
  status: z.enum([...SubscriptionStatus.options, 'none']),
  ...SubscriptionWire.pick({
    paused: true,
    end_reason: true,
    late_reason: true,
    stop_reason: true,
    payment_status: true,
    blocked_since: true,
    blocked_reason: true,
  }).shape,
  subscribed_since: isoDate.nullable(),
  first_subscribed_at: isoDate.nullable(),
  current_period_end: isoDate.nullable(),
  cancelled_at: isoDate.nullable(),
  ...SubscriptionWire.pick({
    access_until: true,
    closable: true,
    closable_from: true,
    next_charge_at: true,
    next_retry_at: true,
    retry_deadline: true,
  }).shape,
  revalidate_after: z.int().min(10).max(300),
  attempts: z.array(AccessAttempt).max(5).optional(),
});
export type AccessAnswer = z.infer<typeof AccessAnswer>;

/** The access of one customer to each plan to which the customer has a subscription, sorted by slug. */
export const AccessList = z.strictObject({
  plans: z.array(AccessAnswer),
  revalidate_after: z.int().min(10).max(300),
});
export type AccessList = z.infer<typeof AccessList>;

/** The result of an access check: one plan's answer when the query names a plan, else the list. */
export const Access = z.union([AccessAnswer, AccessList]);
export type Access = z.infer<typeof Access>;
