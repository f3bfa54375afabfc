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

/** The sentence each code is told with; it may be reworded, the code is what to branch on. */
export const REASONS: Readonly<Record<ReasonCode, string>> = {
  not_our_transaction:
    'This is not the signature of a transaction the service co-signed for this subscription.',
  transaction_failed: 'The chain refused the transaction. Nothing changed; ask for a fresh one.',
  transaction_expired: 'The transaction ran out before it landed and never will. Ask for a fresh one.',
  nothing_landed: 'The chain has not shown the transaction yet. Ask again in a moment with the same request.',
  subscription_not_on_chain: 'The subscription no longer exists on chain.',
  subscription_mismatch: 'What landed is not what was reserved. The subscription failed.',
  dev_not_running: 'The plan landed cancelled or part paid. The subscription failed.',
  earlier_subscription_running: 'The earlier subscription runs again, and the payment is recorded on it.',
  subscription_remade: 'The transaction landed, and the subscription was closed or remade since. It failed.',
  cancellation_not_landed: 'The subscription stands on chain without a cancellation.',
  resume_not_landed: 'The subscription stands on chain, still cancelled.',
  close_not_landed: 'The subscription still stands on chain.',
  subscription_changed: 'The subscription moved on while the chain was read. It is left as it is.',
  subscription_not_cancelled: 'The subscription is no longer cancelled.',
  cancelled_subscription_remade: 'The cancelled subscription was closed and remade. It stays cancelled.',
  resume_unverified: 'What stands on chain cannot be told to be the subscription that was cancelled.',
};

/** What submit (checkout#order-of-create-refusals) and the three confirms answer. `reason` and `reason_code` are present exactly together. */
export const Confirmation = z.union([
  z.strictObject({ subscription: SubscriptionWire }),
  z.strictObject({ subscription: SubscriptionWire, reason: z.string(), reason_code: ReasonCode }),
]);
export type Confirmation = z.infer<typeof Confirmation>;
