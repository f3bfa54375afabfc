import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { aCommit, anAttempt } from '@subrail/core/testing';
import { openSqliteStore } from '../../index.js';

/**
 * Commits versions of a subscription without end, each with an attempt, and prints each version once its
 * commit returned.
 */
const [path = '', projectId = '', id = ''] = process.argv.slice(2);
const { store } = await openSqliteStore({ path });
const subscriptionId = id as SubscriptionId;
for (;;) {
  const before = await store.findSubscription(projectId as ProjectId, subscriptionId);
  if (before === null) throw new Error('The subscription is missing.');
  const version = before.version + 1;
  const attempt = anAttempt({ subscriptionId, outcome: 'skipped', reason: 'cancelled', periodStart: null });
  await store.commit([aCommit({ ...before, version }, { attempts: [attempt] })]);
  console.log(version);
}
