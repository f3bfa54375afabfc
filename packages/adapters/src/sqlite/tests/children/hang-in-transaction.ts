import type { PlanId, ProjectId } from '@subrail/core/ports';
import { aCommit, aSubscription } from '@subrail/core/testing';
import { openSqliteStore } from '../../index.js';

/** Writes within a transaction that never ends. */
const [path = '', projectId = '', planId = ''] = process.argv.slice(2);
const { store } = await openSqliteStore({ path });
await store.transaction(async (operations) => {
  for (let i = 0; i < 20; i++)
    await operations.commit([
      aCommit(aSubscription({ projectId: projectId as ProjectId, planId: planId as PlanId })),
    ]);
  console.log('halfway');
  await new Promise(() => setInterval(() => undefined, 1000));
});
