import type { Committer } from '../../commits/commit-changes.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { expireOtherCheckouts } from '../../settlement/expire-other-checkouts.js';

/** No pass works on a subscription twice within this time, whatever its dates say, so that every pass ends. */
const SHORTEST_SLEEP_MS = 1_000;

/**
 * Commits each subscription separately, and returns those that were stored. When a commit conflicts with a concurrent
 * change, the subscription is left to the call that made that change.
 */
export async function commitEach(
  service: Service,
  committer: Committer,
  batch: readonly SubscriptionChanges[],
  now: Date,
): Promise<ReadonlySet<SubscriptionChanges>> {
  const stored = new Set<SubscriptionChanges>();
  for (const changes of batch) {
    try {
      const result = await committer.commit(changes, plus(now, SHORTEST_SLEEP_MS));
      if (result === 'lost') {
        logConflict(service, changes);
        continue;
      }
      stored.add(changes);
      await expireOtherCheckouts(service, changes);
    } catch (error) {
      service.logger.error(
        { subscription: changes.subscription.id, err: error },
        'A subscription could not be written. It is worked on again when its lease ends.',
      );
    }
  }
  return stored;
}

/**
 * Warns of a conflict. If the same subscription conflicts again and again, the store refuses a record that breaks one of
 * its guards.
 */
function logConflict(service: Service, { subscription, openTransfer }: SubscriptionChanges): void {
  const { id, status } = subscription;
  service.logger.warn(
    { subscription: id, status, signature: openTransfer?.signature ?? null },
    'A subscription was changed by another call while the worker had it. The worker leaves it to that call.',
  );
}
