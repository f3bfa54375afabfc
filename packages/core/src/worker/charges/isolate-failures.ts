import type { Service } from '../../service.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';

/** Runs a step for one row; a fault of it holds up no other row, and the row comes back when its lease ends. */
export function isolateFailure(service: Service, row: SubscriptionChanges, step: () => void): void {
  try {
    step();
  } catch (cause) {
    row.abandon();
    service.logger.error(
      { subscription: row.subscription.id, cause },
      'A subscription could not be worked on; it is tried again when its lease ends.',
    );
  }
}

/** Runs a step for each row; answers those it went well for. */
export function isolateFailures(
  service: Service,
  rows: readonly SubscriptionChanges[],
  step: (row: SubscriptionChanges) => void,
): readonly SubscriptionChanges[] {
  for (const row of rows) isolateFailure(service, row, () => step(row));
  return rows.filter((row) => !row.abandoned);
}
