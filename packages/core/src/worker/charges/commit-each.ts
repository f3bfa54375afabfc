import type { Commit } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { expireOtherCheckouts } from '../../settlement/expire-other-checkouts.js';
import type { CommitBuilder } from '../../commits/commit-builder.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';

/** No pass works twice on a row within this time, whatever its dates say: a pass always ends. */
const REST_MS = 1_000;

/** Commits every row by itself: one that was moved on meanwhile is left to whoever moved it. */
export async function commitEach(
  service: Service,
  builder: CommitBuilder,
  rows: readonly SubscriptionChanges[],
  now: Date,
): Promise<ReadonlySet<SubscriptionChanges>> {
  const stored = new Set<SubscriptionChanges>();
  for (const row of rows) {
    try {
      const commits = (await row.commits(builder)).map((commit) => rested(commit, now));
      if ((await service.store.commit(commits)) === 'committed') stored.add(row);
      else logLost(service, row);
      if (row.landed && stored.has(row))
        await expireOtherCheckouts(service, { ...row.belongsTo, subscription: row.subscription });
    } catch (cause) {
      service.logger.error(
        { subscription: row.subscription.id, cause },
        'A subscription could not be written; it is worked on again when its lease ends.',
      );
    }
  }
  return stored;
}

function rested(commit: Commit, now: Date): Commit {
  const { subscription } = commit;
  const soonest = plus(now, REST_MS);
  if (subscription.wakeAt === null || subscription.wakeAt >= soonest) return commit;
  return { ...commit, subscription: { ...subscription, wakeAt: soonest } };
}

/** Somebody else moved it on; the same row again and again would be a record the store refuses to hold. */
function logLost(service: Service, row: SubscriptionChanges): void {
  const { id, status } = row.subscription;
  const signature = row.openTransfer?.signature ?? null;
  service.logger.warn(
    { subscription: id, status, signature },
    'A subscription was moved on by somebody else.',
  );
}
