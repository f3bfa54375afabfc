import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { Service } from '../../service.js';

/**
 * Runs a step for one subscription, unless an earlier step failed. An error is reported and holds up no other
 * subscription.
 */
export function isolateFailure(service: Service, changes: SubscriptionChanges, step: () => void): void {
  if (changes.discarded) return;
  try {
    step();
  } catch (error) {
    reportFailure(service, changes, error);
  }
}

/** Waits for a step for one subscription, as `isolateFailure` runs one. Null when it failed. */
export async function isolateRejection<Result>(
  service: Service,
  changes: SubscriptionChanges,
  step: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await step();
  } catch (error) {
    reportFailure(service, changes, error);
    return null;
  }
}

/**
 * Discards the changes of a subscription for which a step failed, and logs the error. The next try is within
 * a minute.
 */
export function reportFailure(service: Service, changes: SubscriptionChanges, error: unknown): void {
  // An earlier step failed for it, and that is reported.
  if (changes.discarded) return;
  changes.discard();
  service.logger.error(
    { subscription: changes.subscription.id, err: error },
    'A pass of the worker failed at a subscription. It is tried again within a minute.',
  );
  service.alerts.seen({ kind: 'subscriptions_failing', subject: 'working' });
}

/** Runs a step for each subscription, and returns those that have not failed. */
export function isolateFailures(
  service: Service,
  batch: readonly SubscriptionChanges[],
  step: (changes: SubscriptionChanges) => void,
): readonly SubscriptionChanges[] {
  for (const changes of batch) isolateFailure(service, changes, () => step(changes));
  return batch.filter((changes) => !changes.discarded);
}
