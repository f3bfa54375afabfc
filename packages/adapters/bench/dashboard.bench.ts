import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage, memoryUsage } from 'node:process';
import { createBilling, type Billing } from '@subrail/core';
import type { FullStore } from '@subrail/core/ports';
import { ManualClock, RecordingSender } from '@subrail/core/testing';
import { emptyDatabase } from '@subrail/test-postgres';
import { CompiledQuery, type Kysely } from 'kysely';
import { migrate, type Database } from '../src/kysely/index.js';
import type { MoveSource, MoveTarget } from '../src/kysely/move/ends.js';
import { openMovablePostgres, openPostgresStore } from '../src/postgres/index.js';
import { openMovableSqlite, openSqliteStore } from '../src/sqlite/index.js';
import { createWebCrypto, createWebRandom } from '../src/web/index.js';
import { startBenchServer } from './charge/bench-server.js';
import { load } from './charge/filled-store.js';
import { createInstantChain } from './charge/instant-chain.js';
import { fillYear, NOW } from './dashboard/filled-year.js';
import { PAGES, attempts, type Page } from './dashboard/pages.js';

// Measures what the dashboard reads of a project with a year of monthly charges: how long the calls of each
// page take when they are made at once, as a ratio to bare statements that read the rows that the page needs.
// Then, what the figures cost beside the charges that they count, and how fast, and in how much memory, a
// month of payments is exported. No figure fails the run.
//
// `npm run bench dashboard [subscriptions] [SQLite|PostgreSQL]`: by default a million, on both.

/** The most that figures may take of the processor time of a charge. */
const FIGURES_AIM = 0.05;
const ROUNDS = 11;
const WARM_UP = 3;
const HOUR_MS = 3_600_000;
const KEY = `SUBM_${'K'.repeat(43)}`;

const count = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(count) || count < 1_000 || count > 1_000_000)
  throw new RangeError('The number of subscriptions must be 1,000 to 1,000,000.');
const only = process.argv[3];

interface FilledDatabase {
  readonly store: FullStore;
  readonly db: Kysely<Database>;
  readonly projectId: string;
  readonly close: () => Promise<void>;
}

const keyHash = await createWebCrypto(new Uint8Array(32)).digest(KEY);
if (only === undefined || only === 'SQLite') await measure('SQLite', onSqlite);
if (only === undefined || only === 'PostgreSQL') {
  const server = await startBenchServer();
  try {
    await measure('PostgreSQL', () => onPostgres(server.url));
  } finally {
    await server.remove();
  }
}

async function onSqlite(): Promise<FilledDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
  const path = join(folder, 'billing.db');
  const { store, close } = await openSqliteStore({ path });
  const filled = await fill(store, await openMovableSqlite({ path }));
  return {
    ...filled,
    close: async () => {
      await close();
      await filled.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function onPostgres(serverUrl: string): Promise<FilledDatabase> {
  const database = await emptyDatabase(serverUrl);
  const { url } = database;
  const movable = await openMovablePostgres({ url });
  await migrate(movable.db, movable.traits);
  const { store, close } = await openPostgresStore({ url });
  const filled = await fill(store, movable);
  await filled.db.executeQuery(CompiledQuery.raw('vacuum (analyze)'));
  return {
    ...filled,
    close: async () => {
      await close();
      await filled.close();
      await database.drop();
    },
  };
}

async function fill(store: FullStore, { db, close }: MoveSource | MoveTarget) {
  const { id } = await fillYear(store, db, count, keyHash);
  return { store, db, projectId: id, close };
}

async function measure(name: string, open: () => Promise<FilledDatabase>): Promise<void> {
  const started = performance.now();
  const { store, db, projectId, close } = await open();
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `${name}: ${count} subscriptions with 12 charges each, written in ${seconds} s. Load: ${load()}.`,
  );
  try {
    const clock = new ManualClock(NOW);
    const billing = createBilling({
      store,
      clock,
      chain: createInstantChain(clock, 0),
      random: createWebRandom(),
      crypto: createWebCrypto(new Uint8Array(32)),
      sender: new RecordingSender(),
    });
    const bare = (text: string) =>
      db.executeQuery(CompiledQuery.raw(text.replaceAll(':project', `'${projectId}'`)));
    for (const page of PAGES) await measurePage(page, billing, projectId, bare);
    await measureExport(billing, projectId, bare);
    await measureCharges(billing, clock);
  } finally {
    await close();
  }
}

async function measurePage(
  { name, aimMs, paths, bare }: Page,
  billing: Billing,
  projectId: string,
  run: (text: string) => Promise<unknown>,
): Promise<void> {
  const service = () => Promise.all(paths.map((path) => answer(billing, projectId, path)));
  const [times, bareTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [took, bareTook] = [await timed(service), await timed(() => Promise.all(bare.map(run)))];
    if (round < WARM_UP) continue;
    times.push(took);
    bareTimes.push(bareTook);
  }
  const [middle, longest] = [median(times), Math.max(...times)];
  console.log(
    `  ${name.padEnd(36)} ${ms(middle)}, at most ${ms(longest)} (aim ${aimMs}: ${middle < aimMs ? 'met' : 'not met'})` +
      `   bare ${ms(median(bareTimes))}, ratio ${(median(bareTimes) / middle).toFixed(2)}`,
  );
}

async function answer(billing: Billing, projectId: string, path: string): Promise<string> {
  const response = await billing.handler(
    new Request(`http://localhost/manage/v1/projects/${projectId}/${path}`, {
      headers: { authorization: `Bearer ${KEY}` },
    }),
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** Exports a month of payments, and counts its rows. */
async function measureExport(
  billing: Billing,
  projectId: string,
  run: (text: string) => Promise<unknown>,
): Promise<void> {
  const text = await billing.project(projectId).payments.export({ format: 'csv', outcome: 'paid' });
  global.gc?.();
  const before = memoryUsage.rss();
  let [rows, peak] = [0, before];
  const started = performance.now();
  for await (const part of text) {
    rows += part.split('\r\n').length - 1;
    peak = Math.max(peak, memoryUsage.rss());
    if (rows > count) break;
  }
  const perSecond = rows / ((performance.now() - started) / 1_000);
  const bareRows = Math.min(count, 10_000);
  const bareTook = await timed(() =>
    run(attempts("and a.outcome = 'paid'").replace('limit 25', `limit ${bareRows}`)),
  );
  const barePerSecond = bareRows / (bareTook / 1_000);
  console.log(
    `  export of ${rows} payments: ${perSecond.toFixed(0)} a second, bare ${barePerSecond.toFixed(0)}, ` +
      `ratio ${(perSecond / barePerSecond).toFixed(2)}; memory ${mib(before)} before, ${mib(peak)} at its peak`,
  );
}

/** Charges what is due within some hours, then merges what that added to the figures. */
async function measureCharges(billing: Billing, clock: ManualClock): Promise<void> {
  clock.advance(4 * HOUR_MS);
  let settled = 0;
  const charging = await cpuOf(async () => {
    for (let idle = 0; idle < 2;) {
      const { claimed } = await billing.worker.charge();
      settled += claimed;
      idle = claimed === 0 ? idle + 1 : 0;
      clock.advance(10_000);
    }
  });
  let merged = 0;
  const merging = await cpuOf(async () => {
    ({ merged } = await billing.worker.mergeFigures());
  });
  console.log(
    `  ${settled} passes of charges: ${charging.toFixed(0)} ms of CPU; merging ${merged} additions: ` +
      `${merging.toFixed(0)} ms, ratio ${(merging / charging).toFixed(4)} (aim ${FIGURES_AIM})`,
  );
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = cpuUsage();
  await work();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1_000;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
