import * as z from 'zod';

import { running, START, subscription } from './example-subscription.js';
import { AttemptWire } from './attempt.js';
import { SubscriptionStatus } from './enums.js';
import { isoDate } from './scalars.js';
import { SubscriptionWire } from './subscription.js';

/** An attempt of a subscription, as an access answer shows it. */
export const AccessAttempt = AttemptWire.pick({
  outcome: true,
  reason: true,
  amount: true,
  attempted_at: true,
  signature: true,
}).meta({ answer: 'AccessAttempt' });
export type AccessAttempt = z.infer<typeof AccessAttempt>;

/**
 * The access of a customer to a plan, by the subscription that decides it. `status` is `none` without a
 * subscription, or with only expired checkouts.
 */
export const AccessAnswer = z
  .strictObject({
    wallet: z
      .string()
      .nullable()
      .describe(
        'The paying wallet of the subscription that decides access; without one, the wallet of the query, or null.',
      ),
    plan: z.string().describe('The slug of the plan.'),
    subscription_id: z
      .string()
      .nullable()
      .describe('The id of the subscription that decides access; null without one.'),
    access: z.boolean().describe('Whether the subscription grants access now. Gate on it.'),
    status: z
      .enum([...SubscriptionStatus.options, 'none'])
      .describe(
        'The state of the subscription that decides access, or none without one. New values may appear.',
      ),
    ...SubscriptionWire.pick({
      paused: true,
      end_reason: true,
      late_reason: true,
      stop_reason: true,
      payment_status: true,
      blocked_since: true,
      blocked_reason: true,
    }).shape,
    subscribed_since: isoDate
      .nullable()
      .describe('When the first payment of the subscription that decides access landed.'),
    first_subscribed_at: isoDate
      .nullable()
      .describe('When the customer first subscribed to the plan with this wallet.'),
    current_period_end: isoDate.nullable().describe('End of the period last paid for.'),
    cancelled_at: isoDate.nullable().describe('When the cancellation was confirmed; null after a resume.'),
    ...SubscriptionWire.pick({
      access_until: true,
      closable: true,
      closable_from: true,
      next_charge_at: true,
      next_retry_at: true,
      retry_deadline: true,
    }).shape,
    revalidate_after: z.int().min(10).max(300).describe('For how many seconds the answer may be cached.'),
    attempts: z
      .array(AccessAttempt)
      .max(5)
      .optional()
      .describe('The last charges, newest first; present only when the query asks for them.'),
  })
  .meta({ answer: 'AccessAnswer' });
export type AccessAnswer = z.infer<typeof AccessAnswer>;

/** The access of one customer to each plan to which the customer has a subscription, sorted by slug. */
export const AccessList = z
  .strictObject({
    plans: z.array(AccessAnswer).describe('Every plan with a subscription of the customer, sorted by slug.'),
    revalidate_after: z.int().min(10).max(300).describe('For how many seconds the answer may be cached.'),
  })
  .meta({ answer: 'AccessList' });
export type AccessList = z.infer<typeof AccessList>;

const answer = {
  ...running,
  subscription_id: subscription.id,
  subscribed_since: START,
  first_subscribed_at: START,
  cancelled_at: null,
  revalidate_after: 300,
};

/** The result of an access check: one plan's answer when the query names a plan, else the list. */
export const Access = z.union([AccessAnswer, AccessList]).meta({
  answer: 'Access',
  forms: { with_plan: answer, without_plan: { plans: [answer], revalidate_after: 300 } },
});
export type Access = z.infer<typeof Access>;
