import { type Plan, type Subscription, periodMs } from '../records/index.js';
import type { At } from './at.js';
import { closesAuthority } from './attempt-reasons.js';
import { chargeable, later, plus } from './billing-periods.js';
import { isHeld } from './running.js';

/** A notice comes at most this long before the end of the paid period. */
const LONGEST_NOTICE_MS = 3 * 24 * 3_600_000;

/** How soon at least, and how often at most, a notice is tried again when the chain did not answer. */
const SHORTEST_WAIT_MS = 10 * 60_000;
const MOST_TRIES = 12;

/**
 * When the notice of the next renewal is raised, or null when none is (events#renewal-notice): it was raised,
 * the period is over, no charge follows, or the plan's record is incomplete. A past instant means "now".
 */
export function renewalNoticeAt(subscription: Subscription, { plan, now }: At): Date | null {
  const { status, pausedAt, termsSigned, paidPeriodEnd, renewalNoticeNotBefore } = subscription;
  const renews = status === 'active' && pausedAt === null && termsSigned && plan.createdOnChainAt !== null;
  if (!renews || isHeld(subscription) || paidPeriodEnd === null || !chargeable(paidPeriodEnd, plan))
    return null;
  const notice = plus(paidPeriodEnd, -noticeMs(plan));
  const at = later(notice, renewalNoticeNotBefore);
  return later(at, now).getTime() < paidPeriodEnd.getTime() ? at : null;
}

/** When a notice is tried again that could not be raised. */
export function nextRenewalNoticeTry(plan: Plan, now: Date): Date {
  return plus(now, Math.max(SHORTEST_WAIT_MS, noticeMs(plan) / MOST_TRIES));
}

/** How long before the end of the paid period the notice comes. */
function noticeMs(plan: Plan): number {
  return Math.min(periodMs(plan) / 4, LONGEST_NOTICE_MS);
}

/**
 * What the customer has to mend before the renewal, from the reason for which a charge would be rejected now.
 * Null when nothing is, and for other reasons, such as a frozen account.
 */
export function renewalIssue(rejection: string | null): 'balance' | 'authority' | null {
  if (rejection === null) return null;
  if (rejection === 'insufficient_balance') return 'balance';
  return closesAuthority(rejection) || rejection === 'program_4' || rejection === 'program_1'
    ? 'authority'
    : null;
}
