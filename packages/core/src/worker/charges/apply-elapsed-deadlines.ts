import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { accessEndsAt } from '../../rules/access.js';
import { earlier, later } from '../../rules/billing-periods.js';

/**
 * Records the first deadline that passed since the subscription was last written, before anything else is done with it.
 * It is recorded at its own instant: access that ended is reported as ended then, and not when a worker noticed
 * (events#access-ending-by-date).
 */
export function applyElapsedDeadlines(changes: SubscriptionChanges, now: Date): void {
  const { subscription } = changes;
  const { late, lastAnnouncedAccess, lastEventAt } = subscription;
  // A manual retry that is queued or running may still pay. The deadline counts once it is known that it did not.
  const deadline = late !== null && late.queuedAt === null ? late.deadline : null;
  const accessEnd = lastAnnouncedAccess ? accessEndsAt(subscription, changes.at(now)) : null;
  const elapsed = [deadline, accessEnd].filter((date) => date !== null && date <= now);
  const first = elapsed.reduce<Date | null>((a, b) => (b === null ? a : earlier(b, a)), null);
  if (first !== null) changes.apply({ kind: 'deadline_elapsed' }, later(first, lastEventAt));
}
