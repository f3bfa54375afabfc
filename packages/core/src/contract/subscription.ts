import * as z from 'zod';

import { subscription } from './example-subscription.js';
import {
  BlockedReason,
  EndReason,
  LateReason,
  PaymentStatus,
  StopReason,
  SubscriptionStatus,
} from './enums.js';
import { isoDate } from './scalars.js';

/** A subscription of a wallet to a plan, as every answer and webhook shows it. */
export const SubscriptionWire = z
  .strictObject({
    id: z.string().describe('Its id, sub_ and 24 letters or digits.'),
    status: SubscriptionStatus.describe('Its state. New values may appear.'),
    paused: z
      .boolean()
      .describe(
        "True on a seat parked over the project's subscriber limit. The status stays, and nothing is charged.",
      ),
    end_reason: EndReason.nullable().describe('Why it ended; set only when the status is ended.'),
    late_reason: LateReason.nullable().describe('Why a payment is late, by the last failed charge.'),
    stop_reason: StopReason.nullable().describe('Why it stopped; set only when the status is stopped.'),
    access: z.boolean().describe('Whether the subscription grants access now. Gate on it.'),
    payment_status: PaymentStatus.describe(
      'paid, late (a charge missed and a retry pending), or none (nothing is billed).',
    ),
    blocked_since: isoDate
      .nullable()
      .describe("Since when charges are blocked, for a reason that is not the customer's."),
    blocked_reason: BlockedReason.nullable().describe(
      "Why charges are blocked, for a reason that is not the customer's. New values may appear.",
    ),
    plan: z.string().nullable().describe('The slug of the plan; null when the plan has none.'),
    wallet: z.string().describe('The address of the paying wallet.'),
    email: z
      .string()
      .nullable()
      .describe(
        "Where the customer's notices go, as given at creation; trimmed and lowercased, never verified.",
      ),
    external_id: z
      .string()
      .nullable()
      .describe("The integrator's own customer id, as given at creation; trimmed."),
    current_period_start: isoDate.nullable().describe('Start of the period last paid for.'),
    current_period_end: isoDate.nullable().describe('End of the period last paid for.'),
    next_charge_at: isoDate
      .nullable()
      .describe('The next charge; null when a retry is pending instead, or no charge is left to make.'),
    next_retry_at: isoDate.nullable().describe('The next retry of a late payment.'),
    retry_deadline: isoDate
      .nullable()
      .describe('Until when the missed period can be retried; only on the free tier.'),
    next_retry_number: z.int().min(1).nullable().describe('Which retry comes next, 1 for the first.'),
    retries_allowed: z.int().min(1).nullable().describe('How many retries the missed period gets.'),
    access_until: isoDate
      .nullable()
      .describe('When access ends unless a charge renews it; null while access is false.'),
    closable: z
      .boolean()
      .describe('Whether the subscriber can close it on chain now and get its deposit back.'),
    closable_from: isoDate
      .nullable()
      .describe(
        'From when a cancelled subscription can be closed, while that is still ahead; null otherwise.',
      ),
    created_at: isoDate.describe('When it was reserved.'),
    confirmed_at: isoDate.nullable().describe('When the first payment landed.'),
  })
  .meta({ answer: 'Subscription', example: subscription });
export type SubscriptionWire = z.infer<typeof SubscriptionWire>;
