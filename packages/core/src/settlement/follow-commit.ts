import { type CommitResult, commitChanges } from '../commits/commit-changes.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ProjectId } from '../records/index.js';
import { retriesDifferFromTier } from '../rules/retry-policy.js';
import type { Service } from '../service.js';
import { expireOtherCheckouts } from './expire-other-checkouts.js';
import { settleRetries } from './settle-retries.js';
import { settleSeats } from './settle-seats.js';

/**
 * Follows committed changes up at other subscriptions: a landed checkout expires the wallet's others, and a
 * landing or an ending may park seats or return them. If the process dies first, checkouts expire at their
 * time, and the next sweep settles the seats. A failure is logged and holds up nothing else.
 */
export async function followCommit(
  service: Service,
  committed: Iterable<SubscriptionChanges>,
): Promise<void> {
  const moved = new Map<ProjectId, Set<string>>();
  const differing = new Set<ProjectId>();
  for (const changes of committed) {
    const { id, projectId, wallet } = changes.subscription;
    if (changes.checkoutLanded)
      await logFailure(service, { subscription: id }, () => expireOtherCheckouts(service, changes));
    if (mayMoveSeats(changes)) moved.set(projectId, (moved.get(projectId) ?? new Set()).add(wallet));
    if (hasRetriesOfAnotherTier(service, changes)) differing.add(projectId);
  }
  for (const [id, wallets] of moved)
    await logFailure(service, { project: id }, () => settleSeats(service, id, wallets));
  for (const id of differing) await logFailure(service, { project: id }, () => settleRetries(service, id));
}

/** Writes the changes of one request, and does what they bring with them for other subscriptions. */
export async function commitAndFollow(service: Service, changes: SubscriptionChanges): Promise<CommitResult> {
  const result = await commitChanges(service, changes);
  if (result === 'committed') await followCommit(service, [changes]);
  return result;
}

/** Whether the project may have more seats or fewer: only an unpaid checkout certainly has none. */
function mayMoveSeats({ before, subscription: { status } }: SubscriptionChanges): boolean {
  return before.status !== status && status !== 'pending' && status !== 'expired';
}

/** Whether a charge in flight during a change of tier left retries of the tier before. */
function hasRetriesOfAnotherTier(service: Service, changes: SubscriptionChanges): boolean {
  const { late } = changes.subscription;
  return (
    late !== null &&
    changes.openTransfer === null &&
    retriesDifferFromTier(late, changes.at(service.clock.now()).tier)
  );
}

async function logFailure(service: Service, facts: object, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (err) {
    service.logger.error(
      { ...facts, err },
      'What follows from a stored change failed. The next sweep, or the end of the checkouts, makes up for it.',
    );
  }
}
