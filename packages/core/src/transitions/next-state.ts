import type { Late, Plan, Subscription } from '../records/index.js';
import type { Transition, Payment } from './transition.js';
import type { ChangeContext } from './drafts.js';
import { closesAuthority, lateReason } from '../rules/attempt-reasons.js';
import { LAST_MINUTES_MS, earlier, periodFrom, plus, tryOrEnd } from '../rules/billing-periods.js';
import { retryPolicy } from '../rules/retry-policy.js';

/** What a settled checkout leaves behind. */
const SETTLED = { checkoutExpiresAt: null, terms: null, built: null } as const;

/** What a charge that was made, or an end, leaves behind of a late or blocked time. */
const CLEAR = {
  late: null,
  lateReason: null,
  blockedSince: null,
  blockedReason: null,
  goneSince: null,
} as const;

/** No try is made any more. */
const OVER = { ...CLEAR, nextTryAt: null, pausedAt: null } as const;

/** The row a cause leads to: contract, "States and transitions". Events and dates of access are judged from it afterwards. */
export function nextState(
  before: Subscription,
  cause: Transition,
  now: Date,
  { plan, tier }: ChangeContext,
): Subscription {
  switch (cause.kind) {
    case 'checkout_issued':
      return {
        ...before,
        built: cause.built,
        terms: cause.terms,
        checkoutExpiresAt: cause.checkoutExpiresAt,
        email: cause.email,
      };
    case 'transaction_built':
      return { ...before, built: cause.built };
    case 'submitted':
      return {
        ...before,
        terms: before.terms === null ? null : { ...before.terms, spentAt: now },
        nextTryAt: cause.nextTryAt,
      };
    case 'checkout_unpaid':
      return { ...before, nextTryAt: null };
    case 'checkout_overtaken':
      return { ...before, checkoutExpiresAt: now };
    case 'first_payment': {
      const active: Subscription = {
        ...before,
        ...SETTLED,
        ...paidFor(before, cause.payment.periodStart, plan),
        ...counted(before, cause.payment),
        status: 'active',
        termsSigned: true,
        incarnation: cause.incarnation,
        previousId: cause.previousId,
        confirmedAt: cause.landedAt,
      };
      return cause.expiresAt === null ? active : cancelled(active, cause.expiresAt, cause.expiresAt, now);
    }
    case 'checkout_failed':
      return {
        ...before,
        ...SETTLED,
        ...(cause.payment === null ? {} : counted(before, cause.payment)),
        status: 'failed',
        nextTryAt: null,
      };
    case 'superseded':
      return { ...before, ...OVER, built: null, status: 'superseded', stopReason: null, cancellation: null };
    case 'checkout_expired':
      return { ...before, ...SETTLED, status: 'expired', nextTryAt: null };
    case 'paid':
      return {
        ...before,
        ...afterPayment(before, cause.payment.periodStart, plan),
        ...counted(before, cause.payment),
      };
    case 'already_paid':
      return { ...before, ...CLEAR, ...paidFor(before, cause.periodStart, plan) };
    case 'missed':
      return { ...before, missedUntil: cause.until, nextTryAt: now };
    case 'retry_queued':
      return {
        ...before,
        late: before.late === null ? null : { ...before.late, queuedAt: now },
        nextTryAt: now,
      };
    case 'rejected':
      return rejected(before, cause, now, plan, retryPolicy(plan, tier));
    case 'blocked':
      return {
        ...before,
        blockedSince: before.blockedSince ?? now,
        blockedReason: cause.block,
        goneSince: cause.reason === 'gone_unconfirmed' ? now : null,
        ...afterBlocked(before, cause),
      };
    case 'ended':
      return {
        ...before,
        ...OVER,
        status: 'ended',
        endReason: cause.reason,
        cancellation:
          before.cancellation ??
          (cause.cancelledUntil === null
            ? null
            : { confirmedAt: now, expiresAt: cause.cancelledUntil, behind: true }),
      };
    case 'cancelled':
      return cancelled(before, cause.expiresAt, cause.nextTryAt, now);
    case 'resumed':
      return {
        ...before,
        built: null,
        status: 'active',
        cancellation: null,
        nextTryAt: before.paidPeriodEnd === null ? now : tryOrEnd(before.paidPeriodEnd, plan),
      };
    case 'closed':
      return {
        ...before,
        ...OVER,
        built: null,
        status: 'ended',
        endReason: endedWithItsPlan(before) ? before.endReason : 'closed',
        closedAt: now,
      };
    case 'rescheduled':
    case 'comeback_submitted':
      return before;
    case 'deadline_elapsed': {
      const deadline = before.late?.deadline ?? null;
      return deadline !== null && now >= deadline
        ? {
            ...before,
            ...OVER,
            lateReason: before.lateReason,
            status: 'stopped',
            stopReason: 'retry_deadline_passed',
          }
        : before;
    }
    case 'poll_scheduled':
      return { ...before, goneSince: null, nextTryAt: cause.nextTryAt };
  }
}

function cancelled(before: Subscription, expiresAt: Date, nextTryAt: Date, now: Date): Subscription {
  return {
    ...before,
    ...CLEAR,
    built: null,
    status: 'cancelled',
    cancellation: {
      confirmedAt: before.cancellation?.confirmedAt ?? now,
      expiresAt,
      // Paid up, it runs out with the period that is paid; behind, with a later one that is not.
      behind: before.status === 'stopped' || expiresAt > (before.paidPeriodEnd ?? now),
    },
    nextTryAt: nextTryAt,
  };
}

/** Closing one that ended with its plan keeps the reason it ended for (cancel-resume-close#reads-at-the-expiry). */
function endedWithItsPlan({ status, endReason }: Subscription): boolean {
  return status === 'ended' && endReason !== 'cancelled';
}

/**
 * A payment that becomes known only when a later period was paid, or missed, changes nothing about that one (checkout#order-of-create-refusals,
 * earlier_subscription_running).
 */
function afterPayment(before: Subscription, periodStart: Date, plan: Plan): Partial<Subscription> {
  const { paidPeriodStart, late } = before;
  if (paidPeriodStart !== null && periodStart < paidPeriodStart) return {};
  const { start, end } = periodFrom(periodStart, plan);
  if (late !== null && start < late.periodStart) return { paidPeriodStart: start, paidPeriodEnd: end };
  return { ...CLEAR, ...paidFor(before, periodStart, plan) };
}

/** The grid period a payment pays, and when the next one is due. */
function paidFor(before: Subscription, periodStart: Date, plan: Plan): Partial<Subscription> {
  const { start, end } = periodFrom(periodStart, plan);
  return {
    status: before.status === 'unpaid' ? 'active' : before.status,
    paidPeriodStart: start,
    paidPeriodEnd: end,
    missedUntil: null,
    nextTryAt: tryOrEnd(end, plan),
  };
}

function counted(before: Subscription, payment: Payment): Pick<Subscription, 'paidCount' | 'paidAmount'> {
  return { paidCount: before.paidCount + 1, paidAmount: before.paidAmount + payment.amount };
}

/** Contract, "Counting rules", and retries#each-rejected-retry-spends-one. */
function rejected(
  before: Subscription,
  cause: Extract<Transition, { kind: 'rejected' }>,
  now: Date,
  plan: Plan,
  policy: Plan['retryPolicy'],
): Subscription {
  const failed: Subscription = {
    ...before,
    ...CLEAR,
    status: 'unpaid',
    lateReason: lateReason(cause.reason),
  };
  if (closesAuthority(cause.reason)) return stopped(failed, 'authority_closed');
  const late = nextLate(before.late, cause.periodStart, now, plan, policy);
  if (late.automatic === null) return { ...failed, late, nextTryAt: null };
  if (late.automatic.spent === late.automatic.allowed) return stopped(failed, 'out_of_retries');
  return { ...failed, late, nextTryAt: tryOrEnd(late.automatic.nextAt, plan) };
}

/** A blocked retry by hand leaves the plan's retries as they were; while its transfer may still land it goes on running. */
function afterBlocked(
  { late }: Subscription,
  { nextTryAt, reason }: Extract<Transition, { kind: 'blocked' }>,
): Pick<Subscription, 'late' | 'nextTryAt'> {
  const underWay = reason === 'send_unconfirmed' || reason === 'landing_unknown';
  if (late === null || late.queuedAt === null || underWay) return { late, nextTryAt: nextTryAt };
  return { late: { ...late, queuedAt: null }, nextTryAt: late.automatic?.nextAt ?? null };
}

function stopped(failed: Subscription, stopReason: Subscription['stopReason']): Subscription {
  return { ...failed, ...OVER, lateReason: failed.lateReason, status: 'stopped', stopReason };
}

/**
 * A rejected retry spends one, unless it was fired by hand (retries#manual-retries-on-dev-and-business); a rejected charge of another period begins anew, under
 * the policy of that moment (retries#first-rejected-charge).
 */
function nextLate(
  late: Late | null,
  periodStart: Date,
  now: Date,
  plan: Plan,
  policy: Plan['retryPolicy'],
): Late {
  if (late === null || late.periodStart.getTime() !== periodStart.getTime()) {
    return firstLate(periodStart, now, plan, policy);
  }
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

function firstLate(periodStart: Date, now: Date, plan: Plan, policy: Plan['retryPolicy']): Late {
  const missed = { periodStart, rejectedAt: now, byHand: { count: 0, lastAt: null }, queuedAt: null };
  if (policy === null) {
    const deadline = earlier(plus(periodFrom(periodStart, plan).end, -LAST_MINUTES_MS), plan.endsAt);
    return { ...missed, automatic: null, deadline };
  }
  const { attempts, waitMs } = policy;
  return {
    ...missed,
    automatic: { spent: 0, allowed: attempts, waitMs, nextAt: plus(now, waitMs) },
    deadline: null,
  };
}
