import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { aCommit, anAttempt } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { emptyWal } from '../../empty-wal.js';
import { openSqliteStore } from '../../index.js';

/**
 * Commits versions of a subscription, each with an attempt, and answers each by writing its version to a
 * file. It sometimes pauses, so that the store runs a checkpoint, and twice has the WAL emptied. Prints
 * `done` at the end and waits to be killed.
 */
const [path = '', answers = '', projectId = '', id = '', commits = '0'] = process.argv.slice(2);
const { store } = await openSqliteStore({ path });
const another = new SqliteFile(path, { timeout: 0 });
const answered = openSync(answers, 'w');
const subscriptionId = id as SubscriptionId;
for (let count = 1; count <= Number(commits); count += 1) {
  const before = await store.findSubscription(projectId as ProjectId, subscriptionId);
  if (before === null) throw new Error('The subscription is missing.');
  const version = before.version + 1;
  const attempt = anAttempt({ subscriptionId, outcome: 'skipped', reason: 'cancelled', periodStart: null });
  await store.commit([aCommit({ ...before, version }, { attempts: [attempt] })]);
  writeSync(answered, String(version).padStart(9), 0);
  if (count % 150 === 0) await sleep(1_100);
  if (count % 200 === 100) await emptyWal(another, new AbortController().signal);
}
console.log('done');
await new Promise(() => setInterval(() => undefined, 1_000));
