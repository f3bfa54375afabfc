import { type Subscription, periodMs } from '../records/index.js';
import type { At } from './at.js';
import { chargeable, earlier, later, plus } from './billing-periods.js';
import { isGivenUp } from './retry-policy.js';
import { isHeld } from './running.js';

const DAY_MS = 24 * 3_600_000;

/** A period from this length on has a reminder a week before its end. */
const LONG_PERIOD_MS = 28 * DAY_MS;

/** How long a reminder waits when the chain did not answer. */
export const REMINDER_RETRY_MS = 10 * 60_000;

/** A reminder by mail (mails#reminders). */
export interface Reminder {
  /** `cannot_pay` and `last_try` are mails only when the chain shows that the wallet could not pay. */
  readonly kind: 'renewal_ahead' | 'cannot_pay' | 'plan_ends' | 'last_try';
  /** When it is made. A past instant means "now". */
  readonly at: Date;
  /** The date of which it reminds. */
  readonly of: Date;
  /** Until when no other is made. */
  readonly next: Date;
}

/** The next reminder of a subscription; null when none comes, or the service sends no mails. */
export function nextReminder(subscription: Subscription, at: At): Reminder | null {
  const { status, email, pausedAt, termsSigned } = subscription;
  if (at.mails !== true || email === null || pausedAt !== null || !termsSigned) return null;
  if (at.plan.createdOnChainAt === null || isHeld(subscription)) return null;
  if (status === 'active') return reminderOfRenewal(subscription, at);
  return status === 'unpaid' ? reminderOfLastTry(subscription, at) : null;
}

function reminderOfRenewal(
  { paidPeriodEnd, reminderNotBefore }: Subscription,
  { plan, now }: At,
): Reminder | null {
  if (paidPeriodEnd === null) return null;
  const renews = chargeable(paidPeriodEnd, plan);
  const of = earlier(paidPeriodEnd, plan.endsAt);
  const isLong = periodMs(plan) >= LONG_PERIOD_MS;
  const closeBy = plus(of, -Math.min(DAY_MS, periodMs(plan) / 4));
  const soonest = (date: Date) => later(date, reminderNotBefore);
  const early = soonest(plus(of, -7 * DAY_MS));
  if (isLong && later(early, now) < closeBy)
    return renews
      ? { kind: 'renewal_ahead', at: early, of, next: closeBy }
      : { kind: 'plan_ends', at: early, of, next: of };
  const late = soonest(closeBy);
  if (later(late, now) >= of) return null;
  return { kind: renews ? 'cannot_pay' : 'plan_ends', at: late, of, next: of };
}

function reminderOfLastTry(subscription: Subscription, at: At): Reminder | null {
  const of = lastTryAt(subscription, at);
  if (of === null || isToldWithFailure(subscription, of)) return null;
  const due = later(plus(of, -DAY_MS), subscription.reminderNotBefore);
  return later(due, at.now) < of ? { kind: 'last_try', at: due, of, next: of } : null;
}

/** When the last try comes, or the deadline of those by hand passes; null while more than one is left. */
export function lastTryAt({ late }: Subscription, at: At): Date | null {
  if (late === null) return null;
  const { automatic, deadline } = late;
  if (automatic === null)
    return deadline === null || isGivenUp(late, at) ? null : earlier(deadline, at.plan.endsAt);
  return automatic.allowed - automatic.spent === 1 && chargeable(automatic.nextAt, at.plan)
    ? automatic.nextAt
    : null;
}

/** Whether the failure before the last try came within a day of it, so that its mail told of it. */
function isToldWithFailure({ late }: Subscription, of: Date): boolean {
  if (late === null) return true;
  const failedAt = late.automatic === null ? late.periodStart : plus(of, -late.automatic.waitMs);
  return of.getTime() - failedAt.getTime() <= DAY_MS;
}
