import type { Lapse, Plan, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { blockLeavesAccessUntil, hasAccess } from '../rules/access.js';
import { type EndingReason, closesAuthority, isSilence, lateReason } from '../rules/attempt-reasons.js';
import { earlier, nextReadAt, periodFrom } from '../rules/billing-periods.js';
import { nextLate } from './late-payment.js';
import { nextScheduledTry, triesAfterParking, triesAfterTierChange } from './retry-dates.js';
import type { Payment, Transition } from './transition.js';

/** The fields that a settled checkout no longer needs, cleared. */
const CHECKOUT_SETTLED = { checkoutExpiresAt: null, terms: null, built: null } as const;

/** The fields that only a blocked subscription has, cleared. */
const NOT_BLOCKED = { blockedSince: null, blockedReason: null, blockedAccessUntil: null } as const;

/** The fields of a late or blocked subscription, cleared, as after a payment and after every end. */
const NOT_LATE_OR_BLOCKED = { late: null, lateReason: null, ...NOT_BLOCKED, goneSince: null } as const;

/** The fields of a subscription for which nothing is tried any more. */
const NO_MORE_TRIES = { ...NOT_LATE_OR_BLOCKED, nextTryAt: null, pausedAt: null, stopReason: null } as const;

/** The state to which a transition leads. Events and dates of access are derived from it afterwards. */
export function nextState(before: Subscription, transition: Transition, at: At): Subscription {
  const { plan, now } = at;
  switch (transition.kind) {
    case 'checkout_issued':
      return {
        ...before,
        built: transition.built,
        terms: transition.terms,
        checkoutExpiresAt: transition.checkoutExpiresAt,
        email: transition.email,
      };
    case 'customer_corrected':
      return { ...before, externalId: transition.externalId, email: transition.email };
    case 'customer_kept':
      return { ...before, ...transition.customer };
    case 'transaction_built':
      return { ...before, built: transition.built };
    case 'submitted':
      return {
        ...before,
        terms: before.terms === null ? null : { ...before.terms, spentAt: now },
        nextTryAt: transition.nextTryAt,
      };
    case 'checkout_unpaid':
      return { ...before, nextTryAt: null };
    case 'checkout_overtaken':
      return { ...before, checkoutExpiresAt: now };
    case 'first_payment': {
      const active: Subscription = {
        ...before,
        ...CHECKOUT_SETTLED,
        ...paidFor(before, transition.payment.periodStart, plan),
        ...paidTotals(before, transition.payment),
        status: 'active',
        termsSigned: true,
        incarnation: transition.incarnation,
        previousId: before.previousId ?? transition.previousId,
        confirmedAt: transition.landedAt,
      };
      const { expiresAt } = transition;
      return expiresAt === null ? active : cancelled(active, expiresAt, expiresAt, at);
    }
    case 'checkout_failed':
      return {
        ...before,
        ...CHECKOUT_SETTLED,
        ...(transition.payment === null ? {} : paidTotals(before, transition.payment)),
        status: 'failed',
        nextTryAt: null,
      };
    case 'superseded':
      return { ...before, ...NO_MORE_TRIES, built: null, status: 'superseded', cancellation: null };
    case 'change_submitted':
      return { ...before, replacedById: transition.replacedById };
    case 'replaced':
      return replaced({ ...before, replacedById: transition.replacedById }, transition.expiresAt, now);
    case 'checkout_expired':
      return { ...before, ...CHECKOUT_SETTLED, status: 'expired', nextTryAt: null };
    case 'paid':
      return {
        ...afterPayment(before, transition.payment.periodStart, plan),
        ...paidTotals(before, transition.payment),
      };
    case 'already_paid':
      return { ...before, ...NOT_LATE_OR_BLOCKED, ...paidFor(before, transition.periodStart, plan) };
    case 'missed':
      return { ...before, missedUntil: transition.until, nextTryAt: now };
    case 'retry_queued':
      return {
        ...before,
        late: before.late === null ? null : { ...before.late, queuedAt: now },
        nextTryAt: now,
      };
    case 'rejected':
      return rejected(before, transition, at);
    case 'blocked':
      return {
        ...before,
        ...blockOf(before, transition, at),
        goneSince: transition.goneSince ?? null,
        ...afterBlocked(before, transition, plan),
      };
    case 'ended':
      return {
        ...before,
        ...NO_MORE_TRIES,
        ...endOf(before, transition.reason, now),
        status: 'ended',
        cancellation:
          before.cancellation ??
          (transition.cancelledUntil === null
            ? null
            : { confirmedAt: now, expiresAt: transition.cancelledUntil, behind: true, lapse: null }),
      };
    case 'cancelled':
      // A change of plan ended it, though it ran on chain.
      if (before.status === 'ended') return replaced(before, transition.expiresAt, now);
      return cancelled(before, transition.expiresAt, transition.nextTryAt, at);
    case 'resumed':
      return resumed(before, at);
    case 'closed':
      // A checkout that failed was never a subscription, so closing its account ends none.
      if (before.status === 'failed') return { ...before, built: null, closedAt: now };
      return {
        ...before,
        ...NO_MORE_TRIES,
        built: null,
        status: 'ended',
        endReason: endedBeforeClosing(before) ? before.endReason : 'closed',
        closedAt: now,
      };
    case 'paused':
      return { ...before, pausedAt: now };
    case 'unpaused':
      return { ...before, ...noticeOfReturned(before), pausedAt: null, ...triesAfterParking(before, at) };
    case 'tier_changed':
      return { ...before, ...triesAfterTierChange(before, at) };
    case 'access_ended':
    case 'refused':
    case 'checkout_opened':
    case 'rescheduled':
    case 'sibling_submitted':
      return before;
    case 'retry_deadline_passed':
      return stopped(before, 'retry_deadline_passed');
    case 'renewal_upcoming':
      return { ...before, renewalNoticeNotBefore: before.paidPeriodEnd };
    case 'renewal_notice_postponed':
      return { ...before, renewalNoticeNotBefore: transition.nextTryAt };
    case 'reminded':
      return { ...before, reminderNotBefore: transition.reminder.next };
    case 'reminder_postponed':
      return { ...before, reminderNotBefore: transition.nextTryAt };
    case 'checked':
      return { ...before, goneSince: transition.goneSince, nextCheckAt: transition.nextCheckAt };
    case 'reinstated':
      return reinstated(before, transition, at);
    case 'poll_scheduled':
      return { ...before, goneSince: transition.goneSince ?? null, nextTryAt: transition.nextTryAt };
  }
}

/** The subscription that a change of plan replaces. What was read as cancelled was read of the landing. */
function replaced(before: Subscription, expiresAt: Date | null, now: Date): Subscription {
  return {
    ...before,
    ...NO_MORE_TRIES,
    built: null,
    status: 'ended',
    endReason: 'plan_changed',
    cancellation:
      expiresAt === null
        ? before.cancellation
        : { confirmedAt: before.cancellation?.confirmedAt ?? now, expiresAt, behind: true, lapse: null },
  };
}

function cancelled(before: Subscription, expiresAt: Date, nextTryAt: Date, at: At): Subscription {
  const { now } = at;
  return {
    ...before,
    ...NOT_LATE_OR_BLOCKED,
    // A resume of a cancellation that is recorded only now may still be signed.
    built: before.status === 'cancelled' && before.built?.action === 'resume' ? before.built : null,
    status: 'cancelled',
    stopReason: null,
    cancellation: {
      confirmedAt: before.cancellation?.confirmedAt ?? now,
      expiresAt,
      // The cancellation of a paid-up subscription expires with the paid period; behind, with a later, unpaid
      // one.
      behind: before.status === 'stopped' || expiresAt > (before.paidPeriodEnd ?? now),
      lapse: lapseOf(before, at),
    },
    nextTryAt,
  };
}

/**
 * What a resume brings back. Another cancellation keeps what the first one did, and what had stopped is late
 * without a grace, with its retries anew.
 */
function lapseOf(before: Subscription, at: At): Lapse | null {
  const { status, cancellation, lateReason, paidPeriodEnd } = before;
  if (before.late !== null) return { late: { ...before.late, queuedAt: null }, lateReason };
  if (status !== 'stopped' || paidPeriodEnd === null) return cancellation?.lapse ?? null;
  const late = nextLate(before, paidPeriodEnd, at);
  const automatic = late.automatic && { ...late.automatic, nextAt: at.now };
  return { late: { ...late, automatic }, lateReason };
}

/**
 * The state that a resume brings back. What was behind is late, so that no cancellation gives it access anew
 * (cancel-resume-close#resumed-while-behind).
 */
function resumed(before: Subscription, at: At): Subscription {
  const active: Subscription = {
    ...activeAgain(before, at),
    // A resume stays, so that its confirmation may be repeated, and so does a new, unsigned cancellation.
    built: before.built?.action === 'close' ? null : before.built,
  };
  const lapse = before.cancellation?.lapse ?? null;
  if (lapse === null) return active;
  const { graceUntil } = lapse.late;
  const late = { ...lapse.late, graceUntil: graceUntil !== null && at.now < graceUntil ? graceUntil : null };
  const unpaid: Subscription = { ...active, status: 'unpaid', lateReason: lapse.lateReason, late };
  // The tier may have changed meanwhile, and dates have passed as while a seat is parked.
  const ofTier = { ...unpaid, ...triesAfterTierChange(unpaid, at) };
  return { ...ofTier, ...triesAfterParking(ofTier, at) };
}

/** A subscription that runs again without a cancellation, and is charged at the end of what is paid. */
function activeAgain(before: Subscription, { plan, now }: At): Subscription {
  const { paidPeriodEnd } = before;
  return {
    ...before,
    ...noticeOfReturned(before),
    status: 'active',
    cancellation: null,
    nextTryAt: paidPeriodEnd === null ? now : nextReadAt(paidPeriodEnd, plan),
  };
}

/**
 * The notice of the next renewal of a subscription that runs again: a raised notice is not raised anew, and a
 * postponed one comes at once (events#renewal-notice-after-its-date).
 */
function noticeOfReturned({
  renewalNoticeNotBefore: notBefore,
  paidPeriodEnd,
}: Subscription): Pick<Subscription, 'renewalNoticeNotBefore'> {
  const wasRaised = notBefore !== null && notBefore.getTime() === paidPeriodEnd?.getTime();
  return { renewalNoticeNotBefore: wasRaised ? notBefore : null };
}

/** The state that the chain shows of a subscription that had ended as gone. */
function reinstated(
  before: Subscription,
  { endReason, expiresAt }: Extract<Transition, { kind: 'reinstated' }>,
  at: At,
): Subscription {
  const active: Subscription = { ...activeAgain(before, at), endReason: null };
  const running = expiresAt === null ? active : cancelled(active, expiresAt, expiresAt, at);
  return endReason === null ? running : { ...running, ...NO_MORE_TRIES, status: 'ended', endReason };
}

/**
 * Whether it ended for another reason than its cancellation; closing it keeps that reason
 * (cancel-resume-close#end-reason-after-closing).
 */
function endedBeforeClosing({ status, endReason }: Subscription): boolean {
  return status === 'ended' && endReason !== 'cancelled';
}

/**
 * Why a subscription ended, and whether its account is known to be closed. A cancelled subscription ends as
 * cancelled, whatever its plan does (cancel-resume-close#cancellation-wins-over-plan-end). After the expiry,
 * an account that is gone was closed by its wallet (cancel-resume-close#closed-by-its-wallet-after-the-end).
 */
function endOf(
  { status, cancellation, closedAt }: Subscription,
  reason: EndingReason,
  now: Date,
): Pick<Subscription, 'endReason' | 'closedAt'> {
  if (status !== 'cancelled') return { endReason: reason, closedAt };
  if (reason !== 'closed_elsewhere') return { endReason: 'cancelled', closedAt };
  const isOver = cancellation !== null && now >= cancellation.expiresAt;
  return isOver ? { endReason: 'cancelled', closedAt: now } : { endReason: reason, closedAt };
}

function stopped(before: Subscription, stopReason: Subscription['stopReason']): Subscription {
  return { ...before, ...NO_MORE_TRIES, lateReason: before.lateReason, status: 'stopped', stopReason };
}

/**
 * The changes of a payment besides the totals: none when a later period is paid already. When a later period
 * was missed, the payment pays its own period and leaves the later one late.
 */
function afterPayment(before: Subscription, periodStart: Date, plan: Plan): Subscription {
  const { paidPeriodStart, late } = before;
  if (paidPeriodStart !== null && periodStart < paidPeriodStart) return before;
  const { start, end } = periodFrom(periodStart, plan);
  if (late !== null && start < late.periodStart)
    return { ...before, paidPeriodStart: start, paidPeriodEnd: end };
  return { ...before, ...NOT_LATE_OR_BLOCKED, ...paidFor(before, periodStart, plan) };
}

/** The paid period, and when the next charge is due. */
function paidFor(before: Subscription, periodStart: Date, plan: Plan): Partial<Subscription> {
  const { start, end } = periodFrom(periodStart, plan);
  const { cancellation } = before;
  const lapse = cancellation?.lapse ?? null;
  const isMissedLater = lapse !== null && start < lapse.late.periodStart;
  return {
    status: before.status === 'unpaid' ? 'active' : before.status,
    cancellation: cancellation && {
      ...cancellation,
      behind: cancellation.expiresAt > end,
      lapse: isMissedLater ? lapse : null,
    },
    paidPeriodStart: start,
    paidPeriodEnd: end,
    missedUntil: null,
    renewalNoticeNotBefore: null,
    reminderNotBefore: null,
    nextTryAt: nextReadAt(end, plan),
  };
}

function paidTotals(before: Subscription, payment: Payment): Pick<Subscription, 'paidCount' | 'paidAmount'> {
  return { paidCount: before.paidCount + 1, paidAmount: before.paidAmount + payment.amount };
}

/** A rejected charge makes it late, or stops it without a retry left (retries#last-retry-stops). */
function rejected(
  before: Subscription,
  { reason, periodStart }: Extract<Transition, { kind: 'rejected' }>,
  at: At,
): Subscription {
  const failed: Subscription = {
    ...before,
    ...NOT_LATE_OR_BLOCKED,
    status: 'unpaid',
    lateReason: lateReason(reason),
  };
  if (closesAuthority(reason)) return stopped(failed, 'authority_closed');
  const late = nextLate(before, periodStart, at);
  const { automatic } = late;
  if (automatic !== null && automatic.spent === automatic.allowed) return stopped(failed, 'out_of_retries');
  return { ...failed, late, nextTryAt: nextScheduledTry(late, at.plan) };
}

/**
 * The block of a blocked try. Within one run, the first cause sets the date at which access ends, and a later
 * cause may only bring it forward (blocks#first-cause-sets-the-date).
 */
function blockOf(
  before: Subscription,
  { block, reason }: Extract<Transition, { kind: 'blocked' }>,
  at: At,
): Pick<Subscription, 'blockedSince' | 'blockedReason' | 'blockedAccessUntil'> {
  const { blockedSince, blockedReason, blockedAccessUntil, paidPeriodEnd } = before;
  const until = paidPeriodEnd === null ? null : blockLeavesAccessUntil(block, paidPeriodEnd, at);
  if (blockedSince === null) {
    const grants = hasAccess(before, at);
    return { blockedSince: at.now, blockedReason: block, blockedAccessUntil: grants ? until : null };
  }
  return {
    blockedSince,
    blockedReason: isSilence(reason) ? (blockedReason ?? block) : block,
    blockedAccessUntil: blockedAccessUntil === null ? null : earlier(blockedAccessUntil, until),
  };
}

/**
 * A blocked try is made again at its date. A block ends a manual retry, unless its transfer may still land,
 * and leaves the automatic retries as they are (retries#manual-retry-keeps-the-schedule).
 */
function afterBlocked(
  { late }: Subscription,
  { nextTryAt, reason }: Extract<Transition, { kind: 'blocked' }>,
  plan: Plan,
): Pick<Subscription, 'late' | 'nextTryAt'> {
  const mayLand = reason === 'send_unconfirmed' || reason === 'landing_unknown';
  if (late === null || mayLand) return { late, nextTryAt };
  if (late.queuedAt !== null) {
    const unqueued = { ...late, queuedAt: null };
    return { late: unqueued, nextTryAt: nextScheduledTry(unqueued, plan) };
  }
  const { automatic } = late;
  if (automatic === null || nextTryAt === null) return { late, nextTryAt };
  return { late: { ...late, automatic: { ...automatic, nextAt: nextTryAt } }, nextTryAt };
}
