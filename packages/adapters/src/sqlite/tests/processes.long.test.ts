// Heavy: processes on one file are started, killed and started again.

import { aCommit, aSubscription } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { startChild, type Child } from './child.js';
import { rawSqlite } from './raw-sqlite.js';
import { scratchFile } from './scratch.js';
import { storedPlan } from '../../tests/stored-plan.js';

const NOW = new Date('2026-02-01T00:00:00.000Z');
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function aFile() {
  const { path, remove } = scratchFile();
  cleanups.push(remove);
  const { store, close } = await openSqliteStore({ path });
  const { project, plan } = await storedPlan(store);
  return { path, store, close, of: { projectId: project.id, planId: plan.id } };
}

function aChild(name: string, ...args: readonly string[]): Child {
  const child = startChild(name, ...args);
  cleanups.push(() => child.kill());
  return child;
}

function integrityOf(path: string): unknown {
  const file = new SqliteFile(path, { readonly: true });
  const found = file.pragma('integrity_check', { simple: true });
  file.close();
  return found;
}

test('three processes on one file claim each due subscription exactly once', async () => {
  const { path, store, close, of } = await aFile();
  const due = Array.from({ length: 200 }, (_, i) =>
    aSubscription({ ...of, wakeAt: new Date(NOW.getTime() - i) }),
  );
  expect(await store.commit(due.map((row) => aCommit(row)))).toBe('committed');
  const children = [1, 2].map(() => aChild('claim-all', path, NOW.toISOString()));
  for (const child of children) expect(await child.line()).toBe('ready');
  for (const child of children) child.go();

  const own: string[] = [];
  for (let claims = await store.claimDue(NOW, 7, 60_000); claims.claimed.length > 0;) {
    own.push(...claims.claimed.map(({ subscription }) => subscription.id));
    claims = await store.claimDue(NOW, 7, 60_000);
  }
  const others = await Promise.all(children.map(async (child) => JSON.parse(await child.line()) as string[]));
  expect([own, ...others].flat().sort()).toEqual(due.map((row) => row.id).sort());
  await close();
});

test('a process killed within a transaction leaves no writes and no lock behind', async () => {
  const { path, store, close, of } = await aFile();
  const child = aChild('hang-in-transaction', path, of.projectId, of.planId);
  expect(await child.line()).toBe('halfway');
  await child.kill();

  const raw = rawSqlite(path);
  expect(await raw.count('subscriptions')).toBe(0);
  expect(await store.commit([aCommit(aSubscription(of))])).toBe('committed');
  expect(await raw.count('subscriptions')).toBe(1);
  expect(integrityOf(path)).toBe('ok');
  raw.close();
  await close();
});

test('a commit that returned before a SIGKILL is complete afterwards', async () => {
  const { path, store, close, of } = await aFile();
  const subscription = aSubscription(of);
  await store.commit([aCommit(subscription)]);
  await close();

  const child = aChild('commit-forever', path, of.projectId, subscription.id);
  let returned = 1;
  while (returned < 50) returned = Number(await child.line());
  await child.kill();

  const reopened = await openSqliteStore({ path });
  const raw = rawSqlite(path);
  const found = await reopened.store.findSubscription(of.projectId, subscription.id);
  expect(found?.version).toBeGreaterThanOrEqual(returned);
  expect(await raw.count('attempts')).toBe((found?.version ?? 0) - 1);
  expect(integrityOf(path)).toBe('ok');
  raw.close();
  await reopened.close();
});
