import { earlier, later } from '../../rules/billing-periods.js';
import { accessEndsAt } from '../../rules/access.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';

/**
 * Writes down the dates that passed since the subscription was last written, each at its own instant and before anything
 * else is done with it: an access that ended is told as having ended then, and not when a worker came by (events#access-ending-by-date).
 */
export function applyElapsedDeadlines(row: SubscriptionChanges, now: Date): void {
  const { subscription, plan, tier } = row;
  // A charge under way may still pay: the time for retries ends when it is known that it did not.
  const { late } = subscription;
  const deadline = late !== null && late.queuedAt === null ? late.deadline : null;
  const ends = subscription.lastAnnouncedAccess ? accessEndsAt(subscription, plan, tier, now) : null;
  const passed = [deadline, ends].filter((date) => date !== null && date <= now);
  const first = passed.reduce<Date | null>((a, b) => (b === null ? a : earlier(b, a)), null);
  if (first !== null) row.apply({ kind: 'deadline_elapsed' }, later(first, subscription.lastEventAt));
}
