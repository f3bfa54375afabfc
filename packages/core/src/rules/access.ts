import type { BlockedReason, EndReason, PaymentStatus, SubscriptionStatus } from '../contract/enums.js';
import {
  type AutomaticRetries,
  type PlanForAccess,
  type SubscriptionForAccess,
  periodMs,
} from '../records/index.js';
import type { At } from './at.js';
import { isPlanSetup } from './attempt-reasons.js';
import { chargeable, earlier, later, plus } from './billing-periods.js';
import { retryPolicy } from './retry-policy.js';

/** The access that a subscription grants at an instant, with the dates of reads (access#access-by-state). */
export interface Entitlement {
  readonly status: SubscriptionStatus;
  /** Whether its seat is parked; false from the instant on at which it reads as ended. */
  readonly paused: boolean;
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
 * Derives what a subscription grants. The routes, the events and the worker all use this function, so that
 * they agree. The result depends on the instant in `at`, not on events
 * (access#computed-at-the-instant-asked).
 */
export function entitlement(subscription: SubscriptionForAccess, at: At<PlanForAccess>): Entitlement {
  const { plan, now } = at;
  const until = accessEndsAt(subscription, at);
  const access = until !== null && now.getTime() < until.getTime();
  const cancellationExpired = hasExpiredCancellation(subscription, now);
  const late = subscription.status === 'unpaid' && !isParked(subscription) ? subscription.late : null;
  const automatic = late?.automatic ?? null;
  const nextRetryAt = automatic === null ? null : nextRetry(automatic, plan);
  return {
    status: cancellationExpired ? 'ended' : subscription.status,
    paused: isParked(subscription) && !cancellationExpired,
    endReason: cancellationExpired ? 'cancelled' : subscription.endReason,
    paymentStatus: paymentStatus(subscription, now),
    access,
    accessUntil: access ? until : null,
    nextChargeAt: nextChargeAt(subscription, plan),
    nextRetryAt,
    nextRetryNumber: automatic !== null && nextRetryAt !== null ? automatic.spent + 1 : null,
    retriesAllowed: automatic?.allowed ?? null,
    retryDeadline: late === null || late.deadline === null ? null : earlier(late.deadline, plan.endsAt),
    closable: closable(subscription, now),
    closableFrom: closableFrom(subscription, now),
  };
}

/**
 * Until when a subscription grants access, whether or not that date has passed; null when it grants none. The
 * date moves later while a due charge is not resolved yet (access#access-does-not-blink).
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
      return until === null ? null : earlier(until, plan.endsAt);
    }
  }
}

/** Whether a subscription grants access at an instant. */
export function hasAccess(subscription: SubscriptionForAccess, at: At<PlanForAccess>): boolean {
  const until = accessEndsAt(subscription, at);
  return until !== null && at.now < until;
}

/**
 * When access ends if nothing happens until then: the date to which it moves while a due charge or the last
 * retry is not resolved. Null when it grants none.
 */
export function accessEndsAtLast(subscription: SubscriptionForAccess, at: At<PlanForAccess>): Date | null {
  const end = accessEndsAt(subscription, at);
  return end === null ? null : later(end, accessEndsAt(subscription, { ...at, now: end }));
}

/** When the next automatic retry is tried. A manual retry does not move it. */
function nextRetry({ nextAt }: AutomaticRetries, plan: PlanForAccess): Date | null {
  return chargeable(nextAt, plan) ? nextAt : null;
}

/** Whether a subscription is parked: it has no seat, because the project is over its limit. */
function isParked(subscription: SubscriptionForAccess): boolean {
  return subscription.pausedAt !== null;
}

/** Whether nothing is charged for a subscription, so that access ends with the paid period. */
function isNeverCharged(subscription: SubscriptionForAccess): boolean {
  return isParked(subscription) || !subscription.termsSigned;
}

function activeUntil(subscription: SubscriptionForAccess, paidUntil: Date, at: At<PlanForAccess>): Date {
  const { plan, now } = at;
  if (isNeverCharged(subscription)) return paidUntil;
  if (isBlocked(subscription)) return later(paidUntil, subscription.blockedAccessUntil);
  const due = now.getTime() >= paidUntil.getTime() && chargeable(paidUntil, plan);
  return due ? plus(paidUntil, periodMs(plan)) : paidUntil;
}

/**
 * The paid end, or an earlier expiry of the cancellation, from which every read says `ended`. Null when the
 * subscription was cancelled while behind.
 */
function cancelledUntil(
  { cancellation }: SubscriptionForAccess,
  paidUntil: Date,
  plan: PlanForAccess,
): Date | null {
  if (cancellation === null || cancellation.behind) return null;
  return earlier(earlier(paidUntil, cancellation.expiresAt), plan.endsAt);
}

/**
 * Until when an unpaid subscription keeps access: the end of the grace (access#grace-while-unpaid), or a
 * later end that a block leaves (blocks#block-while-unpaid). Null without both.
 */
function unpaidUntil(
  subscription: SubscriptionForAccess,
  paidUntil: Date,
  { plan, now }: At<PlanForAccess>,
): Date | null {
  const { late, blockedAccessUntil } = subscription;
  if (late === null || isParked(subscription)) return null;
  const { graceUntil } = late;
  if (graceUntil === null) return blockedAccessUntil;
  if (isBlocked(subscription)) return later(graceUntil, blockedAccessUntil);
  // From its date until it is resolved, the last retry leaves access as a due charge does. A later missed
  // period does not move the date.
  const holds = now >= graceUntil && late.periodStart <= paidUntil;
  return holds ? later(graceUntil, plus(paidUntil, periodMs(plan))) : graceUntil;
}

function isBlocked({ blockedSince }: SubscriptionForAccess): boolean {
  return blockedSince !== null;
}

/**
 * Until when a block of this cause leaves access, when access has not ended in it yet
 * (blocks#access-under-a-setup-block, blocks#access-under-other-blocks).
 */
export function blockLeavesAccessUntil(
  reason: BlockedReason,
  paidUntil: Date,
  { plan, tier }: At<PlanForAccess>,
): Date {
  if (!isPlanSetup(reason)) return plus(paidUntil, periodMs(plan));
  const policy = retryPolicy(plan, tier);
  return policy === null ? paidUntil : plus(paidUntil, policy.attempts * policy.waitMs);
}

/** Whether a cancellation has expired: reads say `ended` (cancel-resume-close#reads-at-the-expiry). */
function hasExpiredCancellation(subscription: SubscriptionForAccess, now: Date): boolean {
  return (
    subscription.status === 'cancelled' &&
    subscription.cancellation !== null &&
    now >= subscription.cancellation.expiresAt
  );
}

function paymentStatus(subscription: SubscriptionForAccess, now: Date): PaymentStatus {
  switch (subscription.status) {
    case 'active':
      return isNeverCharged(subscription) ? 'none' : 'paid';
    case 'unpaid':
      return isParked(subscription) ? 'none' : 'late';
    case 'cancelled':
      return subscription.cancellation?.behind === true ||
        hasExpiredCancellation(subscription, now) ||
        isParked(subscription)
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
  if (subscription.status !== 'active' || isNeverCharged(subscription) || subscription.nextTryAt === null)
    return null;
  return chargeable(subscription.nextTryAt, plan) ? subscription.nextTryAt : null;
}

/** When an account that is cancelled on chain can be closed, while that is ahead. */
function closableFrom(
  { status, endReason, cancellation, closedAt }: SubscriptionForAccess,
  now: Date,
): Date | null {
  const runsOut = status === 'cancelled' || endReason === 'plan_changed';
  if (!runsOut || closedAt !== null || cancellation === null) return null;
  return now < cancellation.expiresAt ? cancellation.expiresAt : null;
}

/**
 * Whether a change of plan ended it, and its wallet had resumed it on chain before the landing was read: it
 * may still be cancelled (plan-changes#resumed-before-it-was-read).
 */
export function isReplacedUncancelled({
  endReason,
  cancellation,
  closedAt,
}: Pick<SubscriptionForAccess, 'endReason' | 'cancellation' | 'closedAt'>): boolean {
  return endReason === 'plan_changed' && cancellation === null && closedAt === null;
}

/** Whether the account can be closed now, as last known (cancel-resume-close#closable-flag-and-date). */
function closable(subscription: SubscriptionForAccess, now: Date): boolean {
  if (subscription.closedAt !== null || isReplacedUncancelled(subscription)) return false;
  if (hasExpiredCancellation(subscription, now)) return true;
  if (closableFrom(subscription, now) !== null) return false;
  if (subscription.status === 'stopped') return subscription.stopReason === 'authority_closed';
  return (
    subscription.status === 'ended' &&
    subscription.endReason !== null &&
    subscription.endReason !== 'closed' &&
    subscription.endReason !== 'closed_elsewhere'
  );
}
