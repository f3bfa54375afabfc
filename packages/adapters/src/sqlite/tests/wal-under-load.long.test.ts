import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { aCommit, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { WAL_LIMIT_BYTES } from '../checkpoints.js';
import { openSqliteStore } from '../index.js';
import { startChild } from './child.js';
import { scratchFile } from './scratch.js';

const SECONDS = Number(process.env['SECONDS'] ?? 15);
/** The limit, and what two processes write in the second until a checkpoint and while readers are waited for. */
const BOUND_BYTES = 12 * WAL_LIMIT_BYTES;

test(`the WAL stays small while two processes write and two read for ${SECONDS} seconds without a moment's pause`, async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const subscriptions = [1, 2].map(() => aSubscription({ projectId: project.id, planId: plan.id }));
  await store.commit(subscriptions.map((one) => aCommit(one)));

  const readers = [1, 2].map(() => startChild('read-long', path));
  for (const reader of readers) expect(await reader.line()).toBe('ready');
  const writers = subscriptions.map(({ id }) => startChild('commit-forever', path, project.id, id));
  for (const writer of writers) await writer.line();
  let largest = 0;
  let timesLarge = 0;
  let isLarge = false;
  let longestRead = 0;
  const until = performance.now() + SECONDS * 1_000;
  while (performance.now() < until) {
    await pause(20);
    const { size } = statSync(`${path}-wal`);
    largest = Math.max(largest, size);
    if (size > WAL_LIMIT_BYTES && !isLarge) timesLarge += 1;
    isLarge = size > WAL_LIMIT_BYTES;
    const before = performance.now();
    await store.findSubscription(project.id, subscriptions[0]?.id ?? aSubscription().id);
    longestRead = Math.max(longestRead, performance.now() - before);
  }
  await Promise.all([...writers, ...readers].map((child) => child.kill()));
  process.stdout.write(
    `The WAL had at most ${Math.round(largest / 2 ** 20)} MiB, passed the limit ${timesLarge} times; the longest read took ${Math.round(longestRead)} ms.\n`,
  );
  // It grows past the limit again only after it was emptied.
  expect(timesLarge).toBeGreaterThan(1);
  expect(largest).toBeLessThan(BOUND_BYTES);
  await close();
  remove();
}, 120_000);
