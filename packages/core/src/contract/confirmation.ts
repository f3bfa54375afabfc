import { z } from 'zod';

import { SubscriptionWire } from './subscription.js';

/** Contract, Confirmation answer: why nothing was settled, or what landed instead. An open family to a client. */
export const ReasonCode = z.enum([
  'not_our_transaction',
  'transaction_failed',
  'transaction_expired',
  'nothing_landed',
  'subscription_not_on_chain',
  'subscription_mismatch',
  'dev_not_running',
  'earlier_subscription_running',
  'subscription_remade',
  'cancellation_not_landed',
  'resume_not_landed',
  'close_not_landed',
  'subscription_changed',
  'subscription_not_cancelled',
  'cancelled_subscription_remade',
  'resume_unverified',
]);
export type ReasonCode = z.infer<typeof ReasonCode>;

/** What submit (D12) and the three confirms answer. `reason` and `reason_code` are present exactly together. */
export const Confirmation = z.union([
  z.strictObject({ subscription: SubscriptionWire }),
  z.strictObject({ subscription: SubscriptionWire, reason: z.string(), reason_code: ReasonCode }),
]);
export type Confirmation = z.infer<typeof Confirmation>;
