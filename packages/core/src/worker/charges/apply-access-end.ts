import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { accessEndsAt } from '../../rules/access.js';
import { later } from '../../rules/billing-periods.js';

/**
 * Records that access ended by its date, before anything else is done with the subscription. It is recorded at its own
 * instant: access is reported as ended then, and not when a worker noticed (events#access-ending-by-date).
 */
export function applyAccessEnd(changes: SubscriptionChanges, now: Date): void {
  const { subscription } = changes;
  const end = subscription.lastAnnouncedAccess ? accessEndsAt(subscription, changes.at(now)) : null;
  if (end !== null && end <= now)
    changes.apply({ kind: 'access_ended' }, later(end, subscription.lastEventAt));
}
