import { aCommit, aPlan, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import { emptyDatabase } from '@subrail/test-postgres';
import { expect, inject, test } from 'vitest';
import { openPostgresStore } from '../index.js';

const LATER = new Date(MADE_AT.getTime() + 86_400_000);
const HOSTS = 4;
const LIMIT = 25;
const CLAIMS = 20;
/** More than all claims together take, so that each of them finds enough. */
const DUE = 2 * HOSTS * LIMIT * CLAIMS;

test('each of several hosts that claim at once gets as many as it may, while more are due', async () => {
  const database = await emptyDatabase(inject('postgres')[18]);
  const hosts = await Promise.all(
    Array.from({ length: HOSTS }, () => openPostgresStore({ url: database.url })),
  );
  const [first] = hosts;
  if (first === undefined) throw new Error('There is no host.');
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await first.store.insertProject(project);
  await first.store.insertPlan(plan);
  await first.store.commit(
    Array.from({ length: DUE }, () =>
      aCommit(aSubscription({ projectId: project.id, planId: plan.id, wakeAt: MADE_AT })),
    ),
  );

  const sizes: number[] = [];
  const claimed = new Set<string>();
  const claimAll = async ({ store }: (typeof hosts)[number]) => {
    for (let count = 0; count < CLAIMS; count++) {
      const { claimed: mine } = await store.claimDue(LATER, LIMIT, 60_000);
      sizes.push(mine.length);
      for (const { subscription } of mine) claimed.add(subscription.id);
    }
  };
  await Promise.all(hosts.map(claimAll));
  expect(sizes.filter((size) => size !== LIMIT)).toEqual([]);
  expect(claimed.size).toBe(HOSTS * LIMIT * CLAIMS);

  for (const { close } of hosts) await close();
  await database.drop();
});
