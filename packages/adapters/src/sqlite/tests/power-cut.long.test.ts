// Heavy: hundreds of files are written as a power cut leaves them, and opened.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCommit, type aProject, aSubscription, SeededRandom } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { storedPlan } from '../../tests/stored-plan.js';
import { startChildIn } from './child.js';
import { Disk } from './disk/disk.js';
import { buildRecorder, readRecord, type DiskEntry } from './disk/recorder.js';

// Recorded on Linux: the writes of a process to the disk, and its requests to keep them. The service does the
// same everywhere.
const COMMITS = 600;
const CUTS = Number(process.env['CUTS'] ?? 300);

let scratch: string;
let before: string;
let entries: readonly DiskEntry[];
let of: {
  readonly projectId: ReturnType<typeof aProject>['id'];
  readonly id: ReturnType<typeof aSubscription>['id'];
};

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'subrail-power-')));
  const folder = join(scratch, 'data');
  before = join(scratch, 'before');
  mkdirSync(folder);
  const path = join(folder, 'subrail.db');
  const { store, close } = await openSqliteStore({ path });
  const { project, plan } = await storedPlan(store);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  await store.commit([aCommit(subscription)]);
  await close();
  cpSync(folder, before, { recursive: true });
  of = { projectId: project.id, id: subscription.id };

  const { env, record } = buildRecorder(scratch, folder);
  const answers = join(folder, 'answers');
  const child = startChildIn(
    env,
    'commit-and-answer',
    path,
    answers,
    project.id,
    subscription.id,
    String(COMMITS),
  );
  expect(await child.line()).toBe('done');
  await child.kill();
  entries = readRecord(record);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The database after a power cut: the version it has, or why it cannot be used. */
async function stateAfterCut(folder: string): Promise<number | 'damaged'> {
  const path = join(folder, 'subrail.db');
  try {
    const file = new SqliteFile(path);
    const integrity = file.pragma('integrity_check', { simple: true });
    const attempts = file.prepare<[], number>('select count(*) from attempts').pluck().get();
    file.close();
    const { store, close } = await openSqliteStore({ path });
    const found = await store.findSubscription(of.projectId, of.id);
    await close();
    const isWhole = integrity === 'ok' && found !== null && attempts === found.version - 1;
    return isWhole ? found.version : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Cuts the power at random moments. Returns how often something answered was lost, and the moments. */
async function cutPowerOften(record: readonly DiskEntry[], often: number, seed: number) {
  const bytes = new SeededRandom(seed);
  const random = () => Buffer.from(bytes.bytes(4)).readUInt32LE() / 2 ** 32;
  const cuts = new Set(Array.from({ length: often }, () => Math.floor(random() * record.length)));
  const disk = new Disk(before);
  const seen = { lost: 0, damaged: 0, ahead: 0, cuts: cuts.size };
  let answered = 1;
  for (const [place, entry] of record.entries()) {
    if (cuts.has(place)) {
      const folder = mkdtempSync(join(scratch, 'cut-'));
      disk.cutPower(folder, random);
      const state = await stateAfterCut(folder);
      if (state === 'damaged') seen.damaged += 1;
      else if (state < answered) seen.lost += 1;
      else if (state > answered) seen.ahead += 1;
      expect(state === 'damaged' ? 0 : state).toBeLessThanOrEqual(answered + 1);
      rmSync(folder, { recursive: true });
    }
    if (entry.name === 'answers') answered = Number(entry.data.toString());
    else disk.apply(entry);
  }
  return seen;
}

test('a power cut at any moment loses nothing that was answered, and damages nothing', async () => {
  const syncs = (name: string) => entries.filter((one) => one.kind === 'sync' && one.name === name).length;
  // Each commit is kept before its answer, and the database itself is written by checkpoints.
  expect(syncs('subrail.db-wal')).toBeGreaterThanOrEqual(COMMITS);
  expect(syncs('subrail.db')).toBeGreaterThan(3);
  expect(entries.some(({ kind, name }) => kind === 'truncate' && name === 'subrail.db-wal')).toBe(true);
  const seen = await cutPowerOften(entries, CUTS, Number(process.env['PROPERTY_SEED'] ?? 7));
  expect({ lost: seen.lost, damaged: seen.damaged }).toEqual({ lost: 0, damaged: 0 });
  // What was written and not answered yet may be there or not.
  expect(seen.ahead).toBeGreaterThan(0);
}, 300_000);

test('a disk that does not keep the WAL when it is asked to loses answers, so the test above can see a loss', async () => {
  const lying = entries.filter(({ kind, name }) => !(kind === 'sync' && name === 'subrail.db-wal'));
  const seen = await cutPowerOften(lying.slice(0, 1_000), 20, 7);
  expect(seen.lost + seen.damaged).toBeGreaterThan(0);
}, 300_000);
