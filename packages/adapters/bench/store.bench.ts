import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import type { Commit } from '@subrail/core/ports';
import { startBenchServer } from './charge/bench-server.js';
import { load } from './charge/filled-store.js';
import { inMemory, onPostgres, onSqlite, type FilledStore } from './store/engines.js';
import { FAR, LEASE_MS, WORK } from './store/work.js';

// Measures the frequent work of the store, one call after the other: an access read, a page of events, a
// commit of a subscription, the settlement of a charge, and a claim of 100. The ratio is to the fewest bare
// prepared statements that do the same on the same database in the same run, with claims that nobody shares
// and rows without conversion; in memory, to bare operations of Maps and arrays, which copy the rows they
// read, check nothing and undo nothing. No ratio fails the run.
//
// `npm run bench store [all|memory|SQLite|Postgres] [subscriptions ...]`: by default all engines, with 10,000
// and 1,000,000. Postgres is a server of the tests on this machine, with `fsync` on. Memory comes last: a
// million subscriptions take more heap than Node gives a process, so they get a process of their own.

const SAMPLES = 600;
/** In memory a call takes microseconds, and so few would be over before anything is measured. */
const SAMPLES_IN_MEMORY = 10_000;
const CLAIMS = 20;
/** How long one measurement takes at most. */
const MOST_SECONDS = 10;
/** The heap of a subscription in memory, with its event, the bare rows and some garbage. */
const HEAP_OF_SUBSCRIPTION = 5_000;

const [only = 'all', ...given] = process.argv.slice(2);
const counts = given.length === 0 ? [10_000, 1_000_000] : given.map(Number);
if (counts.some((count) => !Number.isInteger(count) || count < 1_000 || count > 1_000_000))
  throw new RangeError('A number of subscriptions must be between 1,000 and 1,000,000.');
console.log(`Load average: ${load()}.`);
const isMeasured = (name: string) => only === 'all' || only === name;
for (const count of counts) {
  if (isMeasured('SQLite')) await measure('SQLite', count, onSqlite);
  if (isMeasured('Postgres')) {
    const server = await startBenchServer();
    await measure('Postgres', count, (subscriptions) => onPostgres(server, subscriptions));
    await server.remove();
  }
}
for (const count of isMeasured('memory') ? counts : []) {
  if (count * HEAP_OF_SUBSCRIPTION < getHeapStatistics().heap_size_limit)
    await measure('memory', count, inMemory, SAMPLES_IN_MEMORY);
  else await inLargerProcess(count);
}
console.log(`Load average at the end: ${load()}.`);

/** Runs the part in memory in a process with as much heap as it needs. */
async function inLargerProcess(count: number): Promise<void> {
  const mebibytes = Math.ceil((count * HEAP_OF_SUBSCRIPTION * 1.1) / 2 ** 20);
  const flags = [`--max-old-space-size=${mebibytes}`, '--import', import.meta.resolve('tsx')];
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [...flags, script, 'memory', String(count)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new Error(`The process in which memory was measured ended with ${code ?? 'a signal'}.`);
}

/** Measures one engine, and prints its rates. */
async function measure(
  name: string,
  count: number,
  open: (count: number) => Promise<FilledStore>,
  most = SAMPLES,
): Promise<void> {
  const { store, bare, readNothing, close } = await open(count);
  console.log(`${name}, ${count.toLocaleString('en-US')} subscriptions:`);
  const { claimed } = await store.claimDue(FAR, Math.min(most, count), LEASE_MS);
  const samples = claimed.map(({ subscription }) => subscription);
  if (readNothing !== null) print('a bare statement that reads nothing', [await perSecond(200, readNothing)]);
  for (const [what, work] of Object.entries(WORK)) {
    const calls = what === 'claim of 100' ? CLAIMS : Math.floor(samples.length / 2);
    // Each half works on subscriptions of its own, as the versions that it writes are.
    const [ours, theirs] = [samples.slice(0, calls), samples.slice(-calls)].map((half) =>
      half.map((sample) => work.change(sample)),
    );
    const ofStore = await perSecond(calls, (at) => work.store(store, changeAt(ours, at), at));
    const callBare = bare(work);
    const ofBare = await perSecond(calls, (at) => callBare(changeAt(theirs, at), at));
    print(what, [ofStore, ofBare]);
  }
  await close();
}

function changeAt(changes: readonly Commit[] = [], at: number): Commit {
  const change = changes[at % changes.length];
  if (change === undefined) throw new Error('No subscription is due.');
  return change;
}

/** How many calls a second are made, after a tenth of them to warm up. Those that take long are fewer. */
async function perSecond(calls: number, call: (at: number) => Promise<unknown>): Promise<number> {
  const warmUp = Math.ceil(calls / 10);
  const begun = performance.now();
  let at = 0;
  const until = async (end: number, seconds: number) => {
    while (at < end && performance.now() - begun < seconds * 1_000) await call(at++);
  };
  await until(warmUp, MOST_SECONDS / 10);
  const [warm, started] = [at, performance.now()];
  await until(calls, MOST_SECONDS);
  return (at - warm) / ((performance.now() - started) / 1_000);
}

function print(what: string, [rate = 0, bare]: readonly number[]): void {
  const ratio = bare === undefined ? '' : `, bare ${shown(bare)}, ratio ${ratioOf(rate / bare)}`;
  console.log(`  ${what.padEnd(36)} ${shown(rate)} a second${ratio}`);
}

function shown(perSecond: number): string {
  return perSecond.toFixed(perSecond < 10 ? 2 : 0).padStart(7);
}

/** With two digits that say something, however small it is. */
function ratioOf(ratio: number): string {
  return ratio < 0.1 ? String(Number(ratio.toPrecision(2))) : ratio.toFixed(2);
}
