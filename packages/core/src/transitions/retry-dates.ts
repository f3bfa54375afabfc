import type { Late, Plan, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import {
  LAST_MINUTES_MS,
  earlier,
  endShownOnChain,
  later,
  nextReadAt,
  periodFrom,
  plus,
} from '../rules/billing-periods.js';
import { retriesDifferFromTier, retryPolicy } from '../rules/retry-policy.js';

/** The fields that a transition sets so that the next try comes at the right date. */
type NextTry = Partial<Pick<Subscription, 'late' | 'nextTryAt' | 'blockedAccessUntil'>>;

/** Until when a missed period may be paid by hand on Free (retries#retry-deadline-on-free). */
export function deadlineOf(periodStart: Date, plan: Plan): Date {
  return earlier(plus(periodFrom(periodStart, plan).end, -LAST_MINUTES_MS), plan.endsAt);
}

/**
 * When the service next acts on a late subscription: at an automatic retry, the deadline of manual ones, the
 * plan's end (retries#plan-end-before-the-deadline) or the next period
 * (retries#deadline-that-passed-unnoticed).
 */
export function nextScheduledTry({ periodStart, automatic, deadline }: Late, plan: Plan): Date {
  if (automatic !== null) return nextReadAt(automatic.nextAt, plan);
  if (deadline === null) return nextReadAt(periodFrom(periodStart, plan).end, plan);
  return plan.endsAt !== null && plan.endsAt <= deadline ? endShownOnChain(plan.endsAt) : deadline;
}

/**
 * The next try once a seat is back: a charge at once when the paid period is over
 * (seats-and-tiers#charge-on-unparking), and the next retry at its date. Without signed terms nothing is
 * charged, and a cancelled subscription keeps the date of its expiry.
 */
export function triesAfterParking(
  { status, late, paidPeriodEnd, termsSigned }: Subscription,
  { plan, now }: At,
): NextTry {
  if (status === 'cancelled' || !termsSigned || paidPeriodEnd === null) return {};
  if (late === null) return { nextTryAt: later(nextReadAt(paidPeriodEnd, plan), now) };
  const { automatic } = late;
  if (automatic === null) return manualRetries(late, late.deadline, plan, now);
  const isOver = now >= periodFrom(late.periodStart, plan).end;
  return automaticRetries(
    { ...late, automatic: { ...automatic, nextAt: isOver ? now : later(automatic.nextAt, now) } },
    plan,
    now,
  );
}

/**
 * The next try of a late subscription after its project lost or gained automatic retries
 * (retries#downgrade-while-late, retries#upgrade-while-late).
 */
export function triesAfterTierChange({ late }: Subscription, { plan, tier, now }: At): NextTry {
  if (late === null || !retriesDifferFromTier(late, tier)) return {};
  const policy = retryPolicy(plan, tier);
  if (policy === null) {
    const byHand = { count: 0, lastAt: late.byHand.lastAt };
    const manual: Late = { ...late, graceUntil: null, automatic: null, byHand };
    const retries = manualRetries(manual, deadlineOf(late.periodStart, plan), plan, now);
    // A block leaves no access either where a late payment leaves none.
    return { ...retries, blockedAccessUntil: null };
  }
  const { attempts: allowed, waitMs } = policy;
  const automatic = { spent: 0, allowed, waitMs, nextAt: plus(now, waitMs) };
  return automaticRetries({ ...late, automatic, deadline: null }, plan, now);
}

function automaticRetries(late: Late, plan: Plan, now: Date): NextTry {
  return { late, nextTryAt: late.queuedAt === null ? nextScheduledTry(late, plan) : now };
}

/**
 * A deadline that passed while nobody could retry stops nothing: the next period is charged when it begins
 * (retries#deadline-that-passed-unnoticed).
 */
function manualRetries(late: Late, deadline: Date | null, plan: Plan, now: Date): NextTry {
  const ahead = deadline !== null && now < deadline;
  const manual: Late = { ...late, deadline: ahead ? deadline : null };
  return {
    late: manual,
    nextTryAt: late.queuedAt === null ? later(nextScheduledTry(manual, plan), now) : now,
  };
}
