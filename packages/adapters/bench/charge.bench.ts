import { cpuUsage, memoryUsage } from 'node:process';
import { createBilling } from '@subrail/core';
import type { FullStore } from '@subrail/core/ports';
import { ManualClock, RecordingSender, aCommit, aTransfer, anAttempt, anEvent } from '@subrail/core/testing';
import { createMemoryStore } from '../src/memory/index.js';
import { createWebCrypto, createWebRandom } from '../src/web/index.js';
import { createInstantChain } from './charge/instant-chain.js';
import { fill, load, openSqlite, startPostgresServer, type OpenStore } from './charge/filled-store.js';

// Measures the charges a second of the worker, from the claim of a due subscription to its payment, which a
// second pass settles, on a chain that answers at once. The ratio is to the bare write of a settled charge:
// one commit with transfer, attempt and event, one after the other, on the same store. A chain that takes 50
// ms for each answer is measured too. The same work runs on another store before, so that no compilation is
// timed. No ratio fails the run.
//
// `npm run bench charge [due] [memory|SQLite|PostgreSQL]`: by default 10,000 due subscriptions, all stores.

const AIM = 1;
const LATENCY_MS = 50;
/** How much of its rate the worker aims to keep when every answer of the chain takes that long. */
const LATENCY_AIM = 0.8;
const LEASE_MS = 60_000;

interface Rate {
  readonly perSecond: number;
  /** Microseconds of CPU time for each, which other load on the machine changes little. */
  readonly cpu: number;
}

const count = Number(process.argv[2] ?? 10_000);
if (!Number.isInteger(count) || count < 1)
  throw new RangeError('The number of due subscriptions must be 1 or more.');
/** No more than are charged, so that a small run is short. */
const BARE_WRITES = Math.min(4_000, count);
const WARM_UP = Math.min(2_000, count);
const only = process.argv[3];
console.log(`${count} due. Load average: ${load()}.`);
const isMeasured = (name: string) => only === undefined || only === name;
if (isMeasured('memory'))
  await compare('memory', async () => ({ store: createMemoryStore(), close: async () => undefined }));
if (isMeasured('SQLite')) await compare('SQLite', openSqlite);
if (isMeasured('PostgreSQL')) {
  const server = await startPostgresServer();
  try {
    await compare('PostgreSQL', server.open);
  } finally {
    await server.remove();
  }
}
console.log(`Load average at the end: ${load()}.`);

async function compare(name: string, open: () => Promise<OpenStore>): Promise<void> {
  const bare = await measure(open, BARE_WRITES, writeSettled);
  const charged = await measure(open, count, (store, due) => charge(store, due, 0));
  const delayed = await measure(open, count, (store, due) => charge(store, due, LATENCY_MS));
  const ratio = charged.perSecond / bare.perSecond;
  const kept = delayed.perSecond / charged.perSecond;
  console.log(`${name}:`);
  print('bare writes of a settled charge', bare);
  print('charges', charged, `ratio ${ratio.toFixed(2)}, aim ${AIM}`);
  print(`charges, ${LATENCY_MS} ms an answer`, delayed, `${kept.toFixed(2)} of that, aim ${LATENCY_AIM}`);
  console.log(`  peak memory of the process ${(memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`);
}

/** Prepares work on a store with as many due subscriptions, and returns what is to be timed. */
type Prepare = (store: FullStore, due: number) => Promise<() => Promise<void>>;

/** Fills a new store with due subscriptions, and times the work on it. */
async function measure(open: () => Promise<OpenStore>, due: number, prepare: Prepare): Promise<Rate> {
  await timeOnce(open, WARM_UP, prepare);
  return timeOnce(open, due, prepare);
}

async function timeOnce(open: () => Promise<OpenStore>, due: number, prepare: Prepare): Promise<Rate> {
  const { store, close } = await open();
  try {
    await fill(store, due);
    const work = await prepare(store, due);
    const before = cpuUsage();
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1_000;
    const { user, system } = cpuUsage(before);
    return { perSecond: due / seconds, cpu: (user + system) / due };
  } finally {
    await close();
  }
}

/** Charges all that is due, and settles every charge. */
async function charge(store: FullStore, due: number, latencyMs: number): Promise<() => Promise<void>> {
  const clock = new ManualClock((await store.nextWakeAt()) ?? new Date(0));
  const billing = createBilling({
    store,
    clock,
    chain: createInstantChain(clock, latencyMs),
    random: createWebRandom(),
    crypto: createWebCrypto(new Uint8Array(32)),
    sender: new RecordingSender(),
  });
  return async () => {
    const { sent } = await billing.worker.charge();
    // By then every transfer is looked up.
    clock.advance(10_000);
    const settled = await billing.worker.charge();
    if (sent !== due || settled.claimed !== due || settled.sent !== 0)
      throw new Error(`Of ${due} due charges ${sent} were sent and ${settled.claimed} looked up.`);
  };
}

/** Writes what the settlement of a charge writes, one subscription after the other. */
async function writeSettled(store: FullStore, due: number): Promise<() => Promise<void>> {
  const now = (await store.nextWakeAt()) ?? new Date(0);
  const { claimed } = await store.claimDue(now, due, LEASE_MS);
  return async () => {
    for (const { subscription } of claimed) {
      const of = { subscriptionId: subscription.id };
      await store.commit([
        aCommit(
          {
            ...subscription,
            version: subscription.version + 1,
            lastSequence: 1,
            paidCount: 2,
            paidPeriodStart: subscription.paidPeriodEnd,
          },
          {
            transfers: [aTransfer({ ...of, state: 'landed' })],
            attempts: [anAttempt({ ...of })],
            events: [anEvent({ ...of, projectId: subscription.projectId })],
          },
        ),
      ]);
    }
  };
}

function print(name: string, { perSecond, cpu }: Rate, note = ''): void {
  console.log(
    `  ${name.padEnd(32)} ${perSecond.toFixed(0).padStart(6)} a second, ${cpu.toFixed(0).padStart(5)} µs of CPU each  ${note}`,
  );
}
