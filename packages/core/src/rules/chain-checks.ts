import type { Plan, Subscription } from '../records/index.js';
import { endShownOnChain, plus } from './billing-periods.js';
import { hash } from './hash.js';

/** How often a subscription is read although nothing is due: a little more often than once a day. */
const EVERY_MS = 23 * 3_600_000;

/** How soon one is read again that could not be read: a plan's end is acted on within five minutes. */
const SHORTEST_WAIT_MS = 4 * 60_000;

/** With this wait after a read that came on time, a subscription is still read within a day. */
const LONGEST_WAIT_MS = 3_600_000;

/** For how long a subscription that ended `closed_elsewhere` is looked for on chain. */
const LOOKED_FOR_MS = 60 * 86_400_000;

/**
 * When a subscription is next read although nothing is due, or null when it is not: while it runs
 * (plans#daily-read-of-subscriptions), and for some time after it ended as gone
 * (cancel-resume-close#reinstated-after-closed-elsewhere). Its id sets its place in
 * each round of reads, so that the reads of all subscriptions are spread evenly.
 */
export function nextDailyCheck(subscription: Subscription, now: Date): Date | null {
  const { id, status, endReason, lastEventAt } = subscription;
  const round = Math.floor(now.getTime() / EVERY_MS) * EVERY_MS;
  const inRound = round + (hash(id) % EVERY_MS);
  const next = new Date(inRound > now.getTime() ? inRound : inRound + EVERY_MS);
  switch (status) {
    case 'active':
    case 'unpaid':
    case 'cancelled':
      return next;
    case 'ended': {
      const until = plus(lastEventAt ?? now, LOOKED_FOR_MS);
      return endReason === 'closed_elsewhere' && next <= until ? next : null;
    }
    case 'pending':
    case 'stopped':
    case 'failed':
    case 'expired':
    case 'superseded':
      return null;
  }
}

/**
 * When a subscription is read again that could not be read: after as long as its read is overdue, at least
 * four minutes and at most an hour. A subscription that reads as gone, or whose plan is over, is read again
 * after four minutes (plans#daily-read-of-subscriptions).
 */
export function nextUnreadCheck(subscription: Subscription, plan: Plan, now: Date): Date {
  const planIsOver =
    plan.status === 'closed' || (plan.endsAt !== null && endShownOnChain(plan.endsAt) <= now);
  const next = nextDailyCheck(subscription, now);
  if (next === null || subscription.goneSince !== null || planIsOver) return plus(now, SHORTEST_WAIT_MS);
  const overdue = now.getTime() - (next.getTime() - EVERY_MS);
  return plus(now, Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, overdue)));
}
