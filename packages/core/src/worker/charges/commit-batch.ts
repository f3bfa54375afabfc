import type { Committer } from '../../commits/commit-changes.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { Unavailable } from '../../ports/unavailable.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { followCommit } from '../../settlement/follow-commit.js';

/** The shortest time between two works of passes on a subscription, so that every pass ends. */
const SHORTEST_SLEEP_MS = 1_000;

/**
 * Commits a batch in one commit, because many rows become durable in about the time of one, and returns the
 * stored subscriptions. When it conflicts or fails, both halves are tried, and so on. When the store is
 * unavailable, nothing more is tried.
 * @param now null when the batch was not claimed: a conflict is then no reason to warn, and due work stays
 *   due
 */
export async function commitBatch(
  service: Service,
  committer: Committer,
  batch: readonly SubscriptionChanges[],
  now: Date | null,
): Promise<ReadonlySet<SubscriptionChanges>> {
  const units = batch.map((changes) => [changes] as const);
  return (await commitUnits(service, committer, units, now)).stored;
}

/** Subscriptions of which either all are stored or none is. */
export type CommitUnit = readonly SubscriptionChanges[];

/** The result of a commit of units. Subscriptions in neither set were logged, and wake after their lease. */
export interface CommittedUnits {
  readonly stored: ReadonlySet<SubscriptionChanges>;
  /** The subscriptions of larger units that could not be stored together. */
  readonly separated: ReadonlySet<SubscriptionChanges>;
}

/** Commits units like `commitBatch`, and divides none. `now` is null when the batch was not claimed. */
export async function commitUnits(
  service: Service,
  committer: Committer,
  batch: readonly CommitUnit[],
  now: Date | null,
): Promise<CommittedUnits> {
  const stored = new Set<SubscriptionChanges>();
  const separated = new Set<SubscriptionChanges>();
  const wakeNotBefore = now === null ? undefined : plus(now, SHORTEST_SLEEP_MS);

  async function commit(units: readonly CommitUnit[]): Promise<void> {
    const part = units.flat();
    const [first] = part;
    if (first === undefined) return;
    try {
      if ((await committer.commit(part, wakeNotBefore)) === 'committed') {
        for (const changes of part) stored.add(changes);
        service.alerts.over('store_unavailable', 'writing');
        return;
      }
      if (part.length === 1 && now !== null) logConflict(service, first);
    } catch (error) {
      if (part.length === 1 || error instanceof Unavailable) {
        logFailure(service, part, error);
        return;
      }
    }
    if (part.length === 1) return;
    if (units.length === 1) {
      for (const changes of part) separated.add(changes);
      return;
    }
    const half = Math.ceil(units.length / 2);
    await commit(units.slice(0, half));
    await commit(units.slice(half));
  }

  await commit(batch);
  await followCommit(service, stored);
  return { stored, separated };
}

/**
 * Warns of a conflict: the subscription is left to the call that changed it. Repeated conflicts of one
 * subscription mean that the store refuses a record that breaks a guard.
 */
function logConflict(service: Service, { subscription, openTransfer }: SubscriptionChanges): void {
  const { id, status } = subscription;
  service.logger.warn(
    { subscription: id, status, signature: openTransfer?.signature ?? null },
    'A subscription was changed by another call while the worker had it. The worker leaves it to that call.',
  );
}

function logFailure(service: Service, batch: readonly SubscriptionChanges[], err: unknown): void {
  service.logger.error(
    { subscriptions: batch.map(({ subscription }) => subscription.id), err },
    'Subscriptions could not be written. They are worked on again within a minute.',
  );
  if (err instanceof Unavailable) service.alerts.seen({ kind: 'store_unavailable', subject: 'writing' });
  else service.alerts.seen({ kind: 'subscriptions_failing', subject: 'writing' });
}
