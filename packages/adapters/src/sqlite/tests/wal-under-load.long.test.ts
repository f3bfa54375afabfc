// Heavy: a file is written and read under load until its WAL would have grown.

import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { aCommit, aSubscription } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { WAL_LIMIT_BYTES } from '../checkpoints.js';
import { openSqliteStore } from '../index.js';
import { startChild } from './child.js';
import { scratchFile } from './scratch.js';
import { storedPlan } from '../../tests/stored-plan.js';

const PASSES = Number(process.env['PASSES'] ?? 4);
/**
 * A WAL that is never emptied passes this. The largest has a third of twelve limits on a quiet machine. On a
 * busy one a read may outlast the second for which writers are held up; the WAL is then not emptied for ten
 * seconds more, and has grown past twelve.
 */
const BOUND_BYTES = 100 * WAL_LIMIT_BYTES;

test(`the WAL passes its limit ${PASSES} times and is emptied each time, while two processes write and two read without a moment's pause`, async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const { project, plan } = await storedPlan(store);
  const subscriptions = [1, 2].map(() => aSubscription({ projectId: project.id, planId: plan.id }));
  await store.commit(subscriptions.map((one) => aCommit(one)));

  const readers = [1, 2].map(() => startChild('read-long', path));
  for (const reader of readers) expect(await reader.line()).toBe('ready');
  const writers = subscriptions.map(({ id }) => startChild('commit-forever', path, project.id, id));
  for (const writer of writers) await writer.line();
  let largest = 0;
  let timesLarge = 0;
  let size = 0;
  let longestRead = 0;
  while (timesLarge < PASSES && largest < BOUND_BYTES) {
    await pause(20);
    const before = size;
    ({ size } = statSync(`${path}-wal`));
    // It passes the limit again only after it was emptied.
    if (size > WAL_LIMIT_BYTES && before <= WAL_LIMIT_BYTES) timesLarge += 1;
    largest = Math.max(largest, size);
    const began = performance.now();
    await store.findSubscription(project.id, subscriptions[0]?.id ?? aSubscription().id);
    longestRead = Math.max(longestRead, performance.now() - began);
  }
  await Promise.all([...writers, ...readers].map((child) => child.kill()));
  process.stdout.write(
    `The WAL had at most ${Math.round(largest / 2 ** 20)} MiB; the longest read took ${Math.round(longestRead)} ms.\n`,
  );
  expect(largest).toBeLessThan(BOUND_BYTES);
  await close();
  remove();
}, 600_000);
