import type { Late, Plan, RetryPolicy, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { closesAuthority, lateReason } from '../rules/attempt-reasons.js';
import { LAST_MINUTES_MS, earlier, periodFrom, plus, nextReadAt } from '../rules/billing-periods.js';
import { retryPolicy } from '../rules/retry-policy.js';
import type { Payment, Transition } from './transition.js';

/** The fields that a settled checkout no longer needs, cleared. */
const CHECKOUT_SETTLED = { checkoutExpiresAt: null, terms: null, built: null } as const;

/** The fields that only a late or blocked subscription has, cleared, as after a payment and after every end. */
const NOT_LATE_OR_BLOCKED = {
  late: null,
  lateReason: null,
  blockedSince: null,
  blockedReason: null,
  goneSince: null,
} as const;

/** The fields of a subscription for which nothing is tried any more. */
const NO_MORE_TRIES = { ...NOT_LATE_OR_BLOCKED, nextTryAt: null, pausedAt: null } as const;

/** The state to which a transition leads. Its events and the dates of access are derived from it afterwards. */
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
        previousId: transition.previousId,
        confirmedAt: transition.landedAt,
      };
      const { expiresAt } = transition;
      return expiresAt === null ? active : cancelled(active, expiresAt, expiresAt, now);
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
      return {
        ...before,
        ...NO_MORE_TRIES,
        built: null,
        status: 'superseded',
        stopReason: null,
        cancellation: null,
      };
    case 'checkout_expired':
      return { ...before, ...CHECKOUT_SETTLED, status: 'expired', nextTryAt: null };
    case 'paid':
      return {
        ...before,
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
        blockedSince: before.blockedSince ?? now,
        blockedReason: transition.block,
        goneSince: transition.reason === 'gone_unconfirmed' ? now : null,
        ...afterBlocked(before, transition),
      };
    case 'ended':
      return {
        ...before,
        ...NO_MORE_TRIES,
        status: 'ended',
        endReason: transition.reason,
        cancellation:
          before.cancellation ??
          (transition.cancelledUntil === null
            ? null
            : { confirmedAt: now, expiresAt: transition.cancelledUntil, behind: true }),
      };
    case 'cancelled':
      return cancelled(before, transition.expiresAt, transition.nextTryAt, now);
    case 'resumed':
      return {
        ...before,
        built: null,
        status: 'active',
        cancellation: null,
        nextTryAt: before.paidPeriodEnd === null ? now : nextReadAt(before.paidPeriodEnd, plan),
      };
    case 'closed':
      return {
        ...before,
        ...NO_MORE_TRIES,
        built: null,
        status: 'ended',
        endReason: endedBeforeClosing(before) ? before.endReason : 'closed',
        closedAt: now,
      };
    case 'checkout_opened':
    case 'rescheduled':
    case 'comeback_submitted':
      return before;
    case 'deadline_elapsed':
      return afterDeadline(before, now);
    case 'poll_scheduled':
      return { ...before, goneSince: null, nextTryAt: transition.nextTryAt };
  }
}

function cancelled(before: Subscription, expiresAt: Date, nextTryAt: Date, now: Date): Subscription {
  return {
    ...before,
    ...NOT_LATE_OR_BLOCKED,
    built: null,
    status: 'cancelled',
    cancellation: {
      confirmedAt: before.cancellation?.confirmedAt ?? now,
      expiresAt,
      // Paid up, the cancellation expires with the paid period. Behind, it expires with a later period, which is
      // unpaid.
      behind: before.status === 'stopped' || expiresAt > (before.paidPeriodEnd ?? now),
    },
    nextTryAt,
  };
}

/**
 * Whether it ended for another reason than its cancellation; closing it keeps that reason
 * (cancel-resume-close#end-reason-after-closing).
 */
function endedBeforeClosing({ status, endReason }: Subscription): boolean {
  return status === 'ended' && endReason !== 'cancelled';
}

/** Stops it when the deadline of manual retries has passed (retries#retry-deadline-on-free). */
function afterDeadline(before: Subscription, now: Date): Subscription {
  const deadline = before.late?.deadline ?? null;
  return deadline !== null && now >= deadline ? stopped(before, 'retry_deadline_passed') : before;
}

function stopped(before: Subscription, stopReason: Subscription['stopReason']): Subscription {
  return { ...before, ...NO_MORE_TRIES, lateReason: before.lateReason, status: 'stopped', stopReason };
}

/**
 * What a payment changes besides the totals. A payment that becomes known only after a later period was paid changes
 * nothing else; one that becomes known after a later period was missed pays its own period and leaves the later one
 * late.
 */
function afterPayment(before: Subscription, periodStart: Date, plan: Plan): Partial<Subscription> {
  const { paidPeriodStart, late } = before;
  if (paidPeriodStart !== null && periodStart < paidPeriodStart) return {};
  const { start, end } = periodFrom(periodStart, plan);
  if (late !== null && start < late.periodStart) return { paidPeriodStart: start, paidPeriodEnd: end };
  return { ...NOT_LATE_OR_BLOCKED, ...paidFor(before, periodStart, plan) };
}

/** The paid period, and when the next charge is due. */
function paidFor(before: Subscription, periodStart: Date, plan: Plan): Partial<Subscription> {
  const { start, end } = periodFrom(periodStart, plan);
  return {
    status: before.status === 'unpaid' ? 'active' : before.status,
    paidPeriodStart: start,
    paidPeriodEnd: end,
    missedUntil: null,
    nextTryAt: nextReadAt(end, plan),
  };
}

function paidTotals(before: Subscription, payment: Payment): Pick<Subscription, 'paidCount' | 'paidAmount'> {
  return { paidCount: before.paidCount + 1, paidAmount: before.paidAmount + payment.amount };
}

/** A rejected charge makes the subscription late, or stops it when no retry is left (retries#last-retry-stops). */
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
  const late = nextLate(before.late, periodStart, at);
  if (late.automatic === null) return { ...failed, late, nextTryAt: null };
  if (late.automatic.spent === late.automatic.allowed) return stopped(failed, 'out_of_retries');
  return { ...failed, late, nextTryAt: nextReadAt(late.automatic.nextAt, at.plan) };
}

/** A block ends a manual retry, unless its transfer may still land. The automatic retries do not change. */
function afterBlocked(
  { late }: Subscription,
  { nextTryAt, reason }: Extract<Transition, { kind: 'blocked' }>,
): Pick<Subscription, 'late' | 'nextTryAt'> {
  const mayLand = reason === 'send_unconfirmed' || reason === 'landing_unknown';
  if (late === null || late.queuedAt === null || mayLand) return { late, nextTryAt };
  return { late: { ...late, queuedAt: null }, nextTryAt: late.automatic?.nextAt ?? null };
}

/**
 * A rejected automatic retry is spent, and a rejected manual one spends no automatic one
 * (retries#manual-retries-on-dev-and-business). A rejected charge of another period starts with no retry spent, under
 * the retry policy of that moment (retries#policy-change).
 */
function nextLate(late: Late | null, periodStart: Date, at: At): Late {
  const { now } = at;
  if (late === null || late.periodStart.getTime() !== periodStart.getTime())
    return firstLate(periodStart, at);
  const { automatic, byHand } = late;
  if (late.queuedAt !== null || automatic === null) {
    return { ...late, queuedAt: null, byHand: { count: byHand.count + 1, lastAt: now } };
  }
  const spent = automatic.spent + 1;
  return {
    ...late,
    rejectedAt: now,
    automatic: { ...automatic, spent, nextAt: plus(now, automatic.waitMs) },
  };
}

function firstLate(periodStart: Date, { plan, tier, now }: At): Late {
  const common = { periodStart, rejectedAt: now, byHand: { count: 0, lastAt: null }, queuedAt: null };
  const policy: RetryPolicy | null = retryPolicy(plan, tier);
  if (policy === null) {
    const deadline = earlier(plus(periodFrom(periodStart, plan).end, -LAST_MINUTES_MS), plan.endsAt);
    return { ...common, automatic: null, deadline };
  }
  const { attempts, waitMs } = policy;
  return {
    ...common,
    automatic: { spent: 0, allowed: attempts, waitMs, nextAt: plus(now, waitMs) },
    deadline: null,
  };
}
