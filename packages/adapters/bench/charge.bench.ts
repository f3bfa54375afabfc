import { cpuUsage, memoryUsage } from 'node:process';
import { createBilling } from '@subrail/core';
import type { Store, Subscription } from '@subrail/core/ports';
import { ManualClock, RecordingSender, aCommit, aTransfer, anAttempt, anEvent } from '@subrail/core/testing';
import { createMemoryStore } from '../src/memory/index.js';
import { createWebCrypto, createWebRandom } from '../src/web-crypto/index.js';
import { createInstantChain } from './charge/instant-chain.js';
import { fill, load, openSqlite, type OpenStore } from './charge/filled-store.js';

// Measures how many charges a second the worker makes, from the claim of a due subscription until its payment is settled
// in a second pass, on a chain that answers at once. The ratio compares it with the bare write of a settled charge: one
// commit of one subscription with its transfer, attempt and event, one after the other, on the same store. It also
// measures a chain that takes 50 ms for each answer. Before each measurement the same work is done on another store, so that
// code which was compiled meanwhile is not timed. No ratio fails the run.
//
// `npm run bench charge [due]` takes 10,000 due subscriptions by default.

const AIM = 1;
const LATENCY_MS = 50;
/** How much of its rate the worker aims to keep when every answer of the chain takes that long. */
const LATENCY_AIM = 0.8;
const BARE_WRITES = 4_000;
const WARM_UP = 2_000;

interface Rate {
  readonly perSecond: number;
  /** Microseconds of CPU time for each, which other load on the machine changes little. */
  readonly cpu: number;
}

const count = Number(process.argv[2] ?? 10_000);
if (!Number.isInteger(count) || count < 1)
  throw new RangeError('The number of due subscriptions must be 1 or more.');
console.log(`${count} due. Load average: ${load()}.`);
await compare('memory', async () => ({ store: createMemoryStore(), close: async () => undefined }));
await compare('SQLite', openSqlite);
console.log(`Load average at the end: ${load()}.`);

async function compare(name: string, open: () => Promise<OpenStore>): Promise<void> {
  const bare = await measure(open, BARE_WRITES, (store, due) => writeSettled(store, due));
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

/** Fills a new store with due subscriptions, and times `work` on it. */
async function measure(
  open: () => Promise<OpenStore>,
  due: number,
  work: (store: Store, due: readonly Subscription[]) => Promise<void>,
): Promise<Rate> {
  await onNewStore(open, WARM_UP, work);
  return onNewStore(open, due, async (store, filled) => {
    const before = cpuUsage();
    const started = performance.now();
    await work(store, filled);
    const seconds = (performance.now() - started) / 1_000;
    const { user, system } = cpuUsage(before);
    return { perSecond: due / seconds, cpu: (user + system) / due };
  });
}

async function onNewStore<T>(
  open: () => Promise<OpenStore>,
  due: number,
  work: (store: Store, due: readonly Subscription[]) => Promise<T>,
): Promise<T> {
  const { store, close } = await open();
  try {
    return await work(store, await fill(store, due));
  } finally {
    await close();
  }
}

/** Charges all that is due, and settles every charge. */
async function charge(store: Store, due: readonly Subscription[], latencyMs: number): Promise<void> {
  const boundary = due[0]?.paidPeriodEnd ?? new Date();
  const clock = new ManualClock(boundary);
  const billing = createBilling({
    store,
    clock,
    chain: createInstantChain(clock, latencyMs),
    random: createWebRandom(),
    crypto: createWebCrypto(new Uint8Array(32)),
    sender: new RecordingSender(),
  });
  const { sent } = await billing.worker.charge();
  // By then every transfer is looked up.
  clock.advance(10_000);
  const settled = await billing.worker.charge();
  if (sent !== due.length || settled.claimed !== due.length || settled.sent !== 0) {
    throw new Error(`Of ${due.length} due charges ${sent} were sent and ${settled.claimed} looked up.`);
  }
}

/** Writes what the settlement of a charge writes, one subscription after the other. */
async function writeSettled(store: Store, due: readonly Subscription[]): Promise<void> {
  for (const subscription of due) {
    const of = { subscriptionId: subscription.id };
    await store.commit([
      aCommit(
        {
          ...subscription,
          version: 2,
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
}

function print(name: string, { perSecond, cpu }: Rate, note = ''): void {
  console.log(
    `  ${name.padEnd(32)} ${perSecond.toFixed(0).padStart(6)} a second, ${cpu.toFixed(0).padStart(5)} µs of CPU each  ${note}`,
  );
}
