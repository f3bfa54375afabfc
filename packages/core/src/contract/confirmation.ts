import * as z from 'zod';

import { subscription } from './example-subscription.js';
import { SubscriptionWire } from './subscription.js';

/** Why nothing was settled, or what landed instead. New values may appear: keep a default branch. */
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

/** The sentence for each reason code. Sentences may be reworded; branch on the code. */
export const REASONS: Readonly<Record<ReasonCode, string>> = {
  not_our_transaction:
    'This is not the signature of a transaction that the service co-signed for this subscription. Send the signature of the transaction it built last.',
  transaction_failed: 'The chain refused the transaction. Nothing changed; request a fresh one.',
  transaction_expired:
    'The transaction expired before it landed and can no longer land. Request a fresh one.',
  nothing_landed: 'The chain does not show the transaction yet. Repeat the same request in a moment.',
  subscription_not_on_chain: 'The subscription no longer exists on chain.',
  subscription_mismatch:
    'The subscription that landed is not the one that was reserved, so it failed. Create a new one.',
  dev_not_running: 'The subscription landed cancelled or not paid in full, so it failed. Create a new one.',
  earlier_subscription_running:
    'The earlier subscription is active again, and the payment is recorded on it.',
  subscription_remade:
    'The transaction landed, but the subscription was closed or created anew on chain since, so it failed. Create a new one.',
  cancellation_not_landed:
    'On chain the subscription has no cancellation. Send the cancellation, then confirm again.',
  resume_not_landed: 'On chain the subscription is still cancelled. Send the resume, then confirm again.',
  close_not_landed: 'The subscription still exists on chain. Send the close, then confirm again.',
  subscription_changed:
    'The subscription changed while the chain was read, so nothing was settled. Read it again.',
  subscription_not_cancelled: 'The subscription is no longer cancelled.',
  cancelled_subscription_remade:
    'The cancelled subscription was closed and created anew on chain. It stays cancelled.',
  resume_unverified:
    'It cannot be verified that the subscription on chain is the one that was cancelled. It stays cancelled.',
};

/**
 * The result of a submit or a confirm: the subscription, with `reason` and `reason_code` when nothing was
 * settled or something else landed.
 */
export const Confirmation = z
  .union([
    z.strictObject({ subscription: SubscriptionWire.describe('The subscription now.') }),
    z.strictObject({
      subscription: SubscriptionWire.describe('The subscription now.'),
      reason: z
        .string()
        .describe(
          'Why nothing was settled, or what landed instead: a sentence for a person, not to branch on.',
        ),
      reason_code: ReasonCode.describe(
        'Why nothing was settled, or what landed instead. Keep a default branch.',
      ),
    }),
  ])
  .meta({
    answer: 'Confirmation',
    forms: {
      settled: { subscription },
      not_settled: {
        subscription,
        reason: REASONS.transaction_expired,
        reason_code: 'transaction_expired',
      },
    },
  });
export type Confirmation = z.infer<typeof Confirmation>;
