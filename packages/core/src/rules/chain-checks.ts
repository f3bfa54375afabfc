import type { Subscription } from '../records/index.js';
import { plus } from './billing-periods.js';

/** How often a subscription is read although nothing is due: a little more often than once a day, so that none is late. */
const EVERY_MS = 23 * 3_600_000;

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

/** A number that spreads texts evenly (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}
