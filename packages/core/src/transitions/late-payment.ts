import type { Late, RetryPolicy, Subscription } from '../records/index.js';
import { hasAccess } from '../rules/access.js';
import type { At } from '../rules/at.js';
import { earlier, later, periodFrom, plus } from '../rules/billing-periods.js';
import { retryPolicy } from '../rules/retry-policy.js';
import { deadlineOf } from './retry-dates.js';

/**
 * A rejected automatic retry is spent, and a rejected manual one spends no automatic one
 * (retries#manual-retries-on-dev-and-business), in whichever period it was made
 * (retries#first-charge-of-a-second-period-by-hand). A rejected charge of another period starts with no retry
 * spent, under the retry policy of that moment (retries#policy-change).
 */
export function nextLate(before: Subscription, periodStart: Date, at: At): Late {
  const { now } = at;
  const { late } = before;
  if (late === null) return firstLate(before, periodStart, at);
  const { automatic, byHand, graceUntil } = late;
  if (automatic !== null && late.queuedAt !== null) {
    const count = failedIn(late, periodStart) ? byHand.count + 1 : 1;
    const lastAt = dateInPeriod(periodStart, at);
    // Its date may have passed while the manual retry ran.
    const schedule = { ...automatic, nextAt: later(automatic.nextAt, now) };
    return { ...late, queuedAt: null, byHand: { count, lastAt }, automatic: schedule };
  }
  if (!isRetryOf(late, periodStart)) return firstLate(before, periodStart, at);
  if (automatic === null)
    return {
      ...late,
      queuedAt: null,
      byHand: { count: byHand.count + 1, lastAt: dateInPeriod(periodStart, at) },
    };
  const spent = automatic.spent + 1;
  const ofFirstMiss = before.paidPeriodEnd === null || periodStart <= before.paidPeriodEnd;
  return {
    ...late,
    graceUntil:
      graceUntil !== null && ofFirstMiss && hasAccess(before, at)
        ? graceOf(periodStart, automatic.waitMs * (automatic.allowed - spent), at)
        : graceUntil,
    automatic: { ...automatic, spent, nextAt: plus(now, automatic.waitMs) },
  };
}

/**
 * A missed period begins with all retries of the policy. A failed payment never gives access back: there is a
 * grace only where access has not ended, and a later missed period leaves the date of the first one as it is
 * (access#second-miss-brings-no-grace).
 */
function firstLate(before: Subscription, periodStart: Date, at: At): Late {
  const { plan, tier, now } = at;
  const { late } = before;
  const none = { count: 0, lastAt: null };
  const common = { periodStart, queuedAt: null };
  const policy: RetryPolicy | null = retryPolicy(plan, tier);
  if (policy === null)
    return {
      ...common,
      graceUntil: null,
      automatic: null,
      deadline: deadlineOf(periodStart, plan),
      byHand: none,
    };
  const { attempts, waitMs } = policy;
  const grace = hasAccess(before, at) ? graceOf(periodStart, attempts * waitMs, at) : null;
  return {
    ...common,
    graceUntil: late === null ? grace : late.graceUntil,
    byHand: late !== null && failedIn(late, periodStart) ? late.byHand : none,
    automatic: { spent: 0, allowed: attempts, waitMs, nextAt: plus(now, waitMs) },
    deadline: null,
  };
}

/** The end of the grace of retries, at the latest that of the period (access#grace-ends-with-its-period). */
function graceOf(periodStart: Date, retriesMs: number, { plan, now }: At): Date {
  return earlier(plus(now, retriesMs), periodFrom(periodStart, plan).end);
}

/**
 * The date of a manual retry: now, or the end of the charged period that is nearer to now, so that the date
 * tells the period when the retry is settled later or earlier (retries#manual-retry-near-a-boundary).
 */
function dateInPeriod(periodStart: Date, { plan, now }: At): Date {
  const { start, end } = periodFrom(periodStart, plan);
  return later(start, earlier(now, plus(end, -1)));
}

/** Whether the retries that run are those of this period. */
export function isRetryOf(late: Late, periodStart: Date): boolean {
  return late.periodStart.getTime() === periodStart.getTime();
}

/**
 * Whether a charge of this period has failed: one that the plan dated, or a manual retry, which may come
 * before the plan's retries of the period.
 */
export function failedIn(late: Late, periodStart: Date): boolean {
  const { lastAt } = late.byHand;
  return isRetryOf(late, periodStart) || (lastAt !== null && lastAt >= periodStart);
}
