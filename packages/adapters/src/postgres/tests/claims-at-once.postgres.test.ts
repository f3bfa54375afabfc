// Heavy: thousands of rows are due, and hosts claim them at once.

import { aCommit, aSubscription, MADE_AT } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const LATER = new Date(MADE_AT.getTime() + 86_400_000);
const HOSTS = 4;
const LIMIT = 25;
const CLAIMS = 20;
/** More than all claims together take, so that each of them finds enough. */
const DUE = 2 * HOSTS * LIMIT * CLAIMS;

const { open } = useDatabase();
const openHosts = () => Promise.all(Array.from({ length: HOSTS }, () => open()));

/** Stores projects that have as many subscriptions due each. */
async function storeDue(projects: number, each: number): Promise<void> {
  const store = await open();
  for (let stored = 0; stored < projects; stored++) {
    const { project, plan } = await storedPlan(store);
    await store.commit(
      Array.from({ length: each }, () =>
        aCommit(aSubscription({ projectId: project.id, planId: plan.id, wakeAt: MADE_AT })),
      ),
    );
  }
}

test('each of several hosts that claim at once gets as many as it may, while more are due', async () => {
  await storeDue(1, DUE);
  const hosts = await openHosts();

  const sizes: number[] = [];
  const claimed = new Set<string>();
  const claimAll = async (store: (typeof hosts)[number]) => {
    for (let count = 0; count < CLAIMS; count++) {
      const { claimed: mine } = await store.claimDue(LATER, LIMIT, 60_000);
      sizes.push(mine.length);
      for (const { subscription } of mine) claimed.add(subscription.id);
    }
  };
  await Promise.all(hosts.map(claimAll));
  expect(sizes.filter((size) => size !== LIMIT)).toEqual([]);
  expect(claimed.size).toBe(HOSTS * LIMIT * CLAIMS);
});

test('a claim of many projects locks what it takes and no more, so that claims at the same time find the others', async () => {
  await storeDue(HOSTS * LIMIT, 1);
  const hosts = await openHosts();

  // Each host claims within a transaction that does not end before all have claimed.
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const claimed: string[] = [];
  const transactions: Promise<void>[] = [];
  for (const store of hosts) {
    await new Promise<void>((resolve, reject) => {
      const claim = store.transaction(async (operations) => {
        const claims = await operations.claimDue(LATER, LIMIT, 60_000);
        claimed.push(...claims.claimed.map(({ subscription }) => subscription.id));
        resolve();
        await ended;
      });
      claim.catch(reject);
      transactions.push(claim);
    });
  }
  end();
  await Promise.all(transactions);
  expect(new Set(claimed).size).toBe(HOSTS * LIMIT);
});
