import { cpuUsage } from 'node:process';
import { createBilling } from '@subrail/core';
import { ManualClock, RecordingSender, aSignature } from '@subrail/core/testing';
import { openPostgresStore } from '../../src/postgres/index.js';
import { createWebCrypto, createWebRandom } from '../../src/web-crypto/index.js';
import { createInstantChain } from './instant-chain.js';

// A host process of the bench `charge-hosts`. It opens the store, and charges what it can claim whenever the bench asks it to.

/** What the host is started with, as JSON. */
export interface HostOptions {
  readonly url: string;
  /** The instant that it takes for now, in milliseconds since 1970. */
  readonly now: number;
  /** Its first signature, so that no two hosts make the same one. */
  readonly firstSignature: number;
}

/** What the host did since it was asked: how many charges it sent, how many it claimed, and the CPU time of that in microseconds. */
export interface HostWork {
  readonly sent: number;
  readonly claimed: number;
  readonly cpu: number;
}

const { url, now, firstSignature } = JSON.parse(process.argv[2] ?? '') as HostOptions;
const { store, close } = await openPostgresStore({ url });
const clock = new ManualClock(new Date(now));
for (let skipped = 0; skipped < firstSignature; skipped++) aSignature();
const billing = createBilling({
  store,
  clock,
  chain: createInstantChain(clock, 0),
  random: createWebRandom(),
  crypto: createWebCrypto(new Uint8Array(32)),
  sender: new RecordingSender(),
});

/** Charges until nothing is due, `afterMs` later than before. */
async function work(afterMs: number): Promise<HostWork> {
  clock.advance(afterMs);
  const before = cpuUsage();
  let [sent, claimed] = [0, 0];
  for (;;) {
    const pass = await billing.worker.charge();
    if (pass.claimed === 0) break;
    sent += pass.sent;
    claimed += pass.claimed;
  }
  const { user, system } = cpuUsage(before);
  return { sent, claimed, cpu: user + system };
}

process.on('message', (afterMs: number) => {
  // A failure is not caught: it ends the process, and the parent reports that.
  void work(afterMs).then((done) => process.send?.(done));
});
process.once('disconnect', () => void close());
process.send?.('ready');
