import * as z from 'zod';

import { BlockedReason, type EventType } from './enums.js';
import { amountText, isoDate } from './scalars.js';

/** A payment that landed. */
export const Payment = z.strictObject({
  amount: amountText,
  mint: z.string(),
  period_start: isoDate,
  period_end: isoDate,
  signature: z.string(),
});

const AccessChange = z.strictObject({
  changed_at: isoDate,
  blocked_reason: BlockedReason.nullable(),
  access_until: isoDate,
});

const Empty = z.strictObject({});

/** The schema of `detail` for each type of event. */
export const EVENT_DETAILS = {
  'subscription.created': z.strictObject({ first_payment: Payment, previous_id: z.string().optional() }),
  'subscription.access_granted': AccessChange,
  'subscription.access_revoked': AccessChange,
  'subscription.renewal_upcoming': z.strictObject({
    can_pay: z.boolean(),
    renewal_issue: z.enum(['balance', 'authority']).nullable(),
    amount: amountText,
    mint: z.string(),
    due_at: isoDate,
  }),
  'subscription.renewed': Payment,
  'subscription.payment_failed': z.strictObject({
    reason: z.string(),
    ...Payment.omit({ signature: true }).shape,
    next_retry_at: isoDate.nullable(),
    retry_deadline: isoDate.nullable(),
    retries_left: z.int().min(0),
    retry_mode: z.enum(['scheduled', 'manual']).nullable(),
  }),
  'subscription.stopped': z.strictObject({ reason: z.string() }),
  'subscription.cancelled': Empty,
  'subscription.resumed': Empty,
  /** Empty, except when a cancellation reached its end. */
  'subscription.ended': z.strictObject({
    changed_at: isoDate.optional(),
    end_reason: z.literal('cancelled').optional(),
  }),
  'subscription.expired': Empty,
  'subscription.paused': z.strictObject({ changed_at: isoDate }),
  'subscription.unpaused': z.strictObject({ changed_at: isoDate }),
} as const satisfies Record<EventType, z.ZodType>;
