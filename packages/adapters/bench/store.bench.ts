import type { Subscription } from '@subrail/core/ports';
import { startBenchServer } from './bench-server.js';
import { load } from './charge/filled-store.js';
import { inMemory, onPostgres, onSqlite, type FilledStore } from './store/engines.js';
import { FAR, LEASE_MS, WORK } from './store/work.js';

// Measures what the store takes for what requests and passes do most, one call after the other: an access read, a page of events, a
// commit of a subscription, the settlement of a charge, and a claim of 100. The ratio compares its rate with that of the fewest bare
// prepared statements that do the same on the same database, in the same run: a claim without sharing, a row without its conversion.
// No ratio fails the run.
//
// `npm run bench store [memory|SQLite|Postgres] [subscriptions ...]` takes all engines and 10,000 and 1,000,000 by default. Postgres is a
// server of the tests on this machine, with `fsync` on.

const SAMPLES = 600;
const CLAIMS = 20;
/** How long one measurement takes at most. */
const MOST_SECONDS = 10;

const [only = null, ...given] = process.argv.slice(2);
const counts = given.length === 0 ? [10_000, 1_000_000] : given.map(Number);
if (counts.some((count) => !Number.isInteger(count) || count < 1_000 || count > 1_000_000))
  throw new RangeError('A number of subscriptions must be between 1,000 and 1,000,000.');
console.log(`Load average: ${load()}.`);
for (const count of counts) {
  if (only === null || only === 'memory') await measure('memory', count, inMemory);
  if (only === null || only === 'SQLite') await measure('SQLite', count, onSqlite);
  if (only === null || only === 'Postgres') {
    const server = await startBenchServer();
    await measure('Postgres', count, (subscriptions) => onPostgres(server, subscriptions));
    await server.remove();
  }
}
console.log(`Load average at the end: ${load()}.`);

/** Measures one engine, and prints its rates. */
async function measure(
  name: string,
  count: number,
  open: (count: number) => Promise<FilledStore>,
): Promise<void> {
  const { store, bare, close } = await open(count);
  console.log(`${name}, ${count.toLocaleString('en-US')} subscriptions:`);
  const { claimed } = await store.claimDue(FAR, SAMPLES, LEASE_MS);
  const samples = claimed.map(({ subscription }) => subscription);
  if (bare !== null)
    print('a bare statement that reads nothing', [await perSecond(200, () => bare.run('select 1', []))]);
  for (const [what, work] of Object.entries(WORK)) {
    const calls = what === 'claim of 100' ? CLAIMS : Math.floor(samples.length / 2);
    // Each half works on subscriptions of its own, as the versions that it writes are.
    const [ours, theirs] = [samples.slice(0, calls), samples.slice(-calls)];
    const ofStore = await perSecond(calls, (at) => work.store(store, sampleOf(ours, at), at));
    const ofBare =
      bare === null ? null : await perSecond(calls, (at) => work.bare(bare, sampleOf(theirs, at), at));
    print(what, ofBare === null ? [ofStore] : [ofStore, ofBare]);
  }
  await close();
}

function sampleOf(samples: readonly Subscription[], at: number): Subscription {
  const sample = samples[at % samples.length];
  if (sample === undefined) throw new Error('No subscription is due.');
  return sample;
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
  const ratio =
    bare === undefined ? '' : `, bare ${bare.toFixed(0).padStart(7)}, ratio ${(rate / bare).toFixed(2)}`;
  console.log(`  ${what.padEnd(36)} ${rate.toFixed(0).padStart(7)} a second${ratio}`);
}
