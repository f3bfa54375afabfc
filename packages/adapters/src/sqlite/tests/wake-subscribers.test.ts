import { aCommit, aSubscription } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { storedPlan } from '../../tests/stored-plan.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');
const LEASE_MS = 60_000;

// plans#plan-end-within-minutes
test('those that workers have claimed are woken after all others of the plan', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  const { project, plan } = await storedPlan(store);
  const aRunning = (wakeAt: Date) => aSubscription({ projectId: project.id, planId: plan.id, wakeAt });
  const due = [aRunning(NOW), aRunning(NOW)];
  const waiting = [1, 2, 3, 4].map((days) => aRunning(new Date(NOW.getTime() + days * 86_400_000)));
  await store.commit([...due, ...waiting].map((subscription) => aCommit(subscription)));
  const { claimed } = await store.claimDue(NOW, 9, LEASE_MS);
  expect(claimed).toHaveLength(2);

  expect(await store.wakeSubscribers(plan.id, NOW, 4)).toBe(4);
  for (const { subscription } of claimed)
    expect(await store.findSubscription(project.id, subscription.id)).toEqual(subscription);
  await close();
});
