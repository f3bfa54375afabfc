import { z } from 'zod';

/** Contract, Project and Plan: the cluster the money moves on. The local chain reads `devnet` (plans#display-amount). */
export const Network = z.enum(['devnet', 'mainnet-beta']);
export type Network = z.infer<typeof Network>;

/** Contract, Subscription. */
export const SubscriptionStatus = z.enum([
  'pending',
  'active',
  'unpaid',
  'cancelled',
  'stopped',
  'ended',
  'failed',
  'expired',
  'superseded',
]);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** Contract, Subscription: set only when the status is `ended`. */
export const EndReason = z.enum([
  'cancelled',
  'plan_removed',
  'plan_replaced',
  'plan_ended',
  'closed_elsewhere',
  'closed',
]);
export type EndReason = z.infer<typeof EndReason>;

/** Contract, Subscription: why a payment is late, by the last failed charge. */
export const LateReason = z.enum(['insufficient_balance', 'approval_revoked', 'authority_closed']);
export type LateReason = z.infer<typeof LateReason>;

/** Contract, Subscription: set only when the status is `stopped`. */
export const StopReason = z.enum(['out_of_retries', 'retry_deadline_passed', 'authority_closed']);
export type StopReason = z.infer<typeof StopReason>;

/** Contract, Subscription: why every charge is held for a reason that is not the customer's. */
export const BlockedReason = z.enum([
  'puller_not_allowed',
  'receiver_not_allowed',
  'receiver_account_missing',
  'receiver_account_frozen',
  'receiver_account_needs_memo',
  'receiver_account_confidential_only',
  'mint_gone',
  'mint_paused',
  'mint_transfer_hook',
  'mesub',
]);
export type BlockedReason = z.infer<typeof BlockedReason>;

/** Contract, Subscription. */
export const PaymentStatus = z.enum(['paid', 'late', 'none']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** Contract, Attempt. */
export const AttemptOutcome = z.enum(['paid', 'skipped', 'rejected', 'blocked']);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** plans#listed-plans. Drafts, closed and failed plans are never listed. */
export const PlanStatus = z.enum(['draft', 'active', 'sunset', 'closed', 'failed']);
export type PlanStatus = z.infer<typeof PlanStatus>;

/** seats-and-tiers#tier-limits: what a project may do. The limits of each are data of the host's configuration. */
export const TierName = z.enum(['free', 'dev', 'business']);
export type TierName = z.infer<typeof TierName>;

/** events#event-types-and-detail: every event an endpoint can select. */
export const EventType = z.enum([
  'subscription.created',
  'subscription.access_granted',
  'subscription.access_revoked',
  'subscription.renewal_upcoming',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.stopped',
  'subscription.cancelled',
  'subscription.resumed',
  'subscription.ended',
  'subscription.expired',
  'subscription.paused',
  'subscription.unpaused',
]);
export type EventType = z.infer<typeof EventType>;
