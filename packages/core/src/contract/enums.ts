import * as z from 'zod';

/** The cluster on which payments are made. A local chain counts as `devnet`. */
export const Network = z.enum(['devnet', 'mainnet-beta']);
export type Network = z.infer<typeof Network>;

/** The state of a subscription. */
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

/** Why a subscription ended; set only when its status is `ended`. */
export const EndReason = z.enum([
  'cancelled',
  'plan_removed',
  'plan_replaced',
  'plan_ended',
  'closed_elsewhere',
  'closed',
  'plan_changed',
]);
export type EndReason = z.infer<typeof EndReason>;

/** Why a payment is late, from the reason of the last failed charge. */
export const LateReason = z.enum(['insufficient_balance', 'approval_revoked', 'authority_closed']);
export type LateReason = z.infer<typeof LateReason>;

/** Why a subscription stopped; set only when its status is `stopped`. */
export const StopReason = z.enum(['out_of_retries', 'retry_deadline_passed', 'authority_closed']);
export type StopReason = z.infer<typeof StopReason>;

/** Why charges are blocked: a cause that is not the customer's. */
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

/** Whether a subscription is paid: `late` while a retry is pending, `none` when nothing is billed. */
export const PaymentStatus = z.enum(['paid', 'late', 'none']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** The outcome of an attempt to charge. */
export const AttemptOutcome = z.enum(['paid', 'skipped', 'rejected', 'blocked']);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** The state of a plan. Only `active` and `sunset` plans are listed. */
export const PlanStatus = z.enum(['draft', 'active', 'sunset', 'closed', 'failed']);
export type PlanStatus = z.infer<typeof PlanStatus>;

/** The name of a project's tier. The host's settings say what each tier allows. */
export const TierName = z.enum(['free', 'dev', 'business']);
export type TierName = z.infer<typeof TierName>;

/** What a mail to a customer tells. */
export const MailKind = z.enum([
  'receipt',
  'renewal_ahead',
  'cannot_pay',
  'payment_failed',
  'last_try',
  'stopped',
  'cancelled',
  'ended',
  'plan_ends',
]);
export type MailKind = z.infer<typeof MailKind>;

/**
 * What became of a mail. `failed`: no server took it for a day. `refused`: its address was refused for good.
 * `left_out`: its address had been refused before.
 */
export const MailState = z.enum(['pending', 'sent', 'failed', 'refused', 'left_out']);
export type MailState = z.infer<typeof MailState>;

/** A language of mails. */
export const MailLocale = z.enum(['en', 'de']);
export type MailLocale = z.infer<typeof MailLocale>;

/** The type of an event. An endpoint receives the types that it selects. */
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
