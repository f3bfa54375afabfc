import type { EndReason, PaymentStatus, SubscriptionStatus } from '../contract/enums.js';
import type { AutomaticRetries, PlanForAccess, SubscriptionForAccess } from '../records/index.js';
import { periodMs } from '../records/index.js';
import type { At } from './at.js';
import { isPlanSetup } from './attempt-reasons.js';
import { chargeable, earlier, later, plus } from './billing-periods.js';
import { retryPolicy } from './retry-policy.js';

/** What a subscription is worth at an instant: access#access-by-state's table, one row at a time. */
export interface Entitlement {
  readonly status: SubscriptionStatus;
  readonly endReason: EndReason | null;
  readonly paymentStatus: PaymentStatus;
  readonly access: boolean;
  readonly accessUntil: Date | null;
  readonly nextChargeAt: Date | null;
  readonly nextRetryAt: Date | null;
  readonly nextRetryNumber: number | null;
  readonly retriesAllowed: number | null;
  readonly retryDeadline: Date | null;
  readonly closable: boolean;
  readonly closableFrom: Date | null;
}

/**
 * The one place where access is derived: the routes, the event writer and the scheduler all ask here.
 * `now` is the instant asked about, not the last announcement (access#computed-at-the-instant-asked).
 */
export function entitlement(subscription: SubscriptionForAccess, at: At<PlanForAccess>): Entitlement {
  const { plan, now } = at;
  const until = accessEndsAt(subscription, at);
  const access = until !== null && now < until;
  const cancelledAndOver = reachedCancellation(subscription, now);
  const late = subscription.status === 'unpaid' && !parked(subscription) ? subscription.late : null;
  const automatic = late?.automatic ?? null;
  const nextRetryAt = automatic === null ? null : nextRetry(automatic, subscription.nextTryAt, plan);
  return {
    status: cancelledAndOver ? 'ended' : subscription.status,
    endReason: cancelledAndOver ? 'cancelled' : subscription.endReason,
    paymentStatus: paymentStatus(subscription, now),
    access,
    accessUntil: access ? until : null,
    nextChargeAt: nextChargeAt(subscription, plan),
    nextRetryAt,
    nextRetryNumber: automatic !== null && nextRetryAt !== null ? automatic.spent + 1 : null,
    retriesAllowed: automatic?.allowed ?? null,
    retryDeadline: late?.deadline ?? null,
    closable: closable(subscription, now),
    closableFrom:
      subscription.status === 'cancelled' && !cancelledAndOver
        ? (subscription.cancellation?.expiresAt ?? null)
        : null,
  };
}

/**
 * Until when a subscription grants access as it stands, whether or not that date has passed; null when it grants none.
 * The date can move later as `now` passes a due try that is not resolved yet: access does not blink (access#access-does-not-blink).
 */
export function accessEndsAt(subscription: SubscriptionForAccess, at: At<PlanForAccess>): Date | null {
  const { plan } = at;
  const paidUntil = subscription.paidPeriodEnd;
  if (paidUntil === null) return null;
  switch (subscription.status) {
    case 'pending':
    case 'stopped':
    case 'ended':
    case 'failed':
    case 'expired':
    case 'superseded':
      return null;
    case 'cancelled':
      return cancelledUntil(subscription, paidUntil, plan);
    case 'active':
      return earlier(activeUntil(subscription, paidUntil, at), plan.endsAt);
    case 'unpaid': {
      const until = unpaidUntil(subscription, paidUntil, at);
      if (until === null) return null;
      const blocked = blockedUntil(subscription, paidUntil, at);
      return earlier(later(until, blocked), plan.endsAt);
    }
  }
}

/** The date that was set, or when a blocked retry is tried again; a retry by hand in between moves neither. */
function nextRetry({ nextAt }: AutomaticRetries, nextTryAt: Date | null, plan: PlanForAccess): Date | null {
  const next = later(nextAt, nextTryAt);
  return chargeable(next, plan) ? next : null;
}

function parked(subscription: SubscriptionForAccess): boolean {
  return subscription.pausedAt !== null;
}

/** Whether nothing is charged for it, so that only the paid period counts. */
function idle(subscription: SubscriptionForAccess): boolean {
  return parked(subscription) || !subscription.termsSigned;
}

function activeUntil(subscription: SubscriptionForAccess, paidUntil: Date, at: At<PlanForAccess>): Date {
  const { plan, now } = at;
  if (idle(subscription)) return paidUntil;
  const blocked = blockedUntil(subscription, paidUntil, at);
  if (blocked !== null) return blocked;
  const due = now >= paidUntil && chargeable(paidUntil, plan);
  return due ? plus(paidUntil, periodMs(plan)) : paidUntil;
}

/** Never past the expiry, from which on every read says `ended`: an expiry may come before the end of the paid period. */
function cancelledUntil(
  { cancellation }: SubscriptionForAccess,
  paidUntil: Date,
  plan: PlanForAccess,
): Date | null {
  if (cancellation === null || cancellation.behind) return null;
  return earlier(earlier(paidUntil, cancellation.expiresAt), plan.endsAt);
}

function unpaidUntil(
  subscription: SubscriptionForAccess,
  paidUntil: Date,
  { plan, now }: At<PlanForAccess>,
): Date | null {
  const { late } = subscription;
  if (late === null || late.automatic === null || parked(subscription)) return null;
  // A miss long after the paid time gives no access back.
  if (late.periodStart > paidUntil) return null;
  const { allowed, spent, waitMs } = late.automatic;
  const lastRetry = plus(late.rejectedAt, waitMs * (allowed - spent));
  // From the date of a last retry until it is resolved, access holds as it does for a due charge.
  return now >= lastRetry ? later(lastRetry, plus(paidUntil, periodMs(plan))) : lastRetry;
}

function blockedUntil(
  subscription: SubscriptionForAccess,
  paidUntil: Date,
  { plan, tier }: At<PlanForAccess>,
): Date | null {
  if (subscription.blockedSince === null || subscription.blockedReason === null) return null;
  if (!isPlanSetup(subscription.blockedReason)) return plus(paidUntil, periodMs(plan));
  const policy = retryPolicy(plan, tier);
  return policy === null ? paidUntil : plus(paidUntil, policy.attempts * policy.waitMs);
}

/** cancel-resume-close#reads-at-the-expiry: every read answers `ended` from a cancellation's expiry on, before the worker has written it. */
function reachedCancellation(subscription: SubscriptionForAccess, now: Date): boolean {
  return (
    subscription.status === 'cancelled' &&
    subscription.cancellation !== null &&
    now >= subscription.cancellation.expiresAt
  );
}

function paymentStatus(subscription: SubscriptionForAccess, now: Date): PaymentStatus {
  switch (subscription.status) {
    case 'active':
      return idle(subscription) ? 'none' : 'paid';
    case 'unpaid':
      return parked(subscription) ? 'none' : 'late';
    case 'cancelled':
      return subscription.cancellation?.behind === true || reachedCancellation(subscription, now)
        ? 'none'
        : 'paid';
    case 'pending':
    case 'stopped':
    case 'ended':
    case 'failed':
    case 'expired':
    case 'superseded':
      return 'none';
  }
}

function nextChargeAt(subscription: SubscriptionForAccess, plan: PlanForAccess): Date | null {
  if (subscription.status !== 'active' || idle(subscription) || subscription.nextTryAt === null) return null;
  return chargeable(subscription.nextTryAt, plan) ? subscription.nextTryAt : null;
}

/** cancel-resume-close#closable-flag-and-date: whether the subscriber can close it on chain now, as last known. */
function closable(subscription: SubscriptionForAccess, now: Date): boolean {
  if (subscription.closedAt !== null) return false;
  if (reachedCancellation(subscription, now)) return true;
  if (subscription.status === 'stopped') return subscription.stopReason === 'authority_closed';
  return (
    subscription.status === 'ended' &&
    subscription.endReason !== null &&
    subscription.endReason !== 'closed' &&
    subscription.endReason !== 'closed_elsewhere'
  );
}
