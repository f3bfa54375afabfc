import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { aCommit, anAttempt } from '@subrail/core/testing';
import { openSqliteStore } from '../../index.js';

/** Commits version after version of a subscription, with an attempt each, and prints each version once it is answered. */
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
