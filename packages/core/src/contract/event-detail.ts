import * as z from 'zod';

import { BlockedReason, type EventType } from './enums.js';
import { amountText, isoDate } from './scalars.js';

/** A payment that landed. */
const Payment = z.strictObject({
  amount: amountText.describe("The amount paid, in the token's smallest unit."),
  mint: z.string().describe("The token's address."),
  period_start: isoDate.describe('Start of the period paid for.'),
  period_end: isoDate.describe('End of the period charged for.'),
  signature: z.string().describe('The transaction that paid, in base58.'),
});

const AccessChange = z.strictObject({
  changed_at: isoDate.describe('When the change happened that the event reports.'),
  blocked_reason: BlockedReason.nullable().describe(
    "Why charges are blocked, for a reason that is not the customer's. New values may appear.",
  ),
  access_until: isoDate.describe(
    'When access ends unless a charge renews it; on access_revoked, when it ended.',
  ),
});

const Empty = z.strictObject({});

/** The schema of `detail` for each type of event. */
export const EVENT_DETAILS = {
  'subscription.created': z.strictObject({
    first_payment: Payment.describe('The payment that landed first.'),
    previous_id: z
      .string()
      .optional()
      .describe('The earlier subscription that a comeback continues, or that a change of plan replaces.'),
  }),
  'subscription.access_granted': AccessChange,
  'subscription.access_revoked': AccessChange,
  'subscription.renewal_upcoming': z.strictObject({
    can_pay: z.boolean().describe('Whether the wallet could pay now.'),
    renewal_issue: z
      .enum(['balance', 'authority'])
      .nullable()
      .describe(
        'Why the wallet could not pay now: balance, or authority when its authorisation is gone or too small; null when it could, and when it is another cause.',
      ),
    amount: amountText.describe("The amount that will be charged, in the token's smallest unit."),
    mint: z.string().describe("The token's address."),
    due_at: isoDate.describe('When the next charge is due.'),
  }),
  'subscription.renewed': Payment,
  'subscription.payment_failed': z.strictObject({
    reason: z.string().describe("Why the charge failed, an attempt's reason. New values may appear."),
    ...Payment.omit({ signature: true }).shape,
    amount: amountText.describe("The amount charged for, in the token's smallest unit."),
    period_start: isoDate.describe('Start of the period charged for.'),
    next_retry_at: isoDate.nullable().describe('The next retry of a late payment.'),
    retry_deadline: isoDate
      .nullable()
      .describe('Until when the missed period can be retried; only on the free tier.'),
    retries_left: z
      .int()
      .min(0)
      .describe(
        'How many retries of the missed period are left; 0 also when the plan, or the deadline, ends before the next one.',
      ),
    retry_mode: z
      .enum(['scheduled', 'manual'])
      .nullable()
      .describe(
        'scheduled when the service retries, manual when each retry must be requested; null when none is left.',
      ),
  }),
  'subscription.stopped': z.strictObject({
    reason: z.string().describe("The last charge's reason, or retry_deadline_passed. New values may appear."),
  }),
  'subscription.cancelled': Empty,
  'subscription.resumed': Empty,
  /** Empty, except when a cancellation reached its end, or another subscription replaces this one. */
  'subscription.ended': z.strictObject({
    changed_at: isoDate.optional().describe('When the change happened that the event reports.'),
    end_reason: z
      .literal('cancelled')
      .optional()
      .describe('Why it ended; set only when the status is ended.'),
    replaced_by: z
      .string()
      .optional()
      .describe('The subscription that replaces it by a change of plan; set only then.'),
  }),
  'subscription.expired': Empty,
  'subscription.paused': z.strictObject({
    changed_at: isoDate.describe('When the change happened that the event reports.'),
  }),
  'subscription.unpaused': z.strictObject({
    changed_at: isoDate.describe('When the change happened that the event reports.'),
  }),
} as const satisfies Record<EventType, z.ZodType>;
