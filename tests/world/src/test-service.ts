import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { createClock } from '@subrail/adapters/clock';
import { createSolanaChain } from '@subrail/adapters/solana';
import type { Billing, BillingPorts } from '@subrail/core';
import type { Chain, Store } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import type { DevelopmentRpc } from '@subrail/host-node/local';
import {
  createLocalnet,
  localnetRpc,
  localnetTransport,
  restoreLocalnet,
  type Localnet,
} from '@subrail/localnet';

import { createTestBilling } from './test-billing.js';
import { createTestClock, type TestClock, type TestClockOptions } from './test-clock.js';
import { createTestLog, type TestLog } from './test-log.js';
import { openTestStore, type TestStoreChoice } from './test-store.js';

export interface TestServiceOptions extends TestClockOptions {
  /** A new store in memory by default. */
  readonly store?: TestStoreChoice;
  /** Where the SQLite store's file is; in memory by default. */
  readonly path?: string;
  /** A chain that was saved, with the charger of the service that used it; a new chain by default. */
  readonly savedChain?: { readonly file: string; readonly charger: KeyPairSigner };
  /** Wraps the chain that the service uses, to inject faults. */
  readonly wrapChain?: (chain: Chain) => Chain;
  /** Wraps the store that the service uses, to inject faults. */
  readonly wrapStore?: (store: Store) => Store;
  /** What the service bids for each compute unit, in micro-lamports; nothing by default. */
  readonly computeUnitPrice?: bigint;
  /** Seeds the ids and secrets the service makes; another host of the same service gets the next number. */
  readonly seed?: number;
  /** Ports of the test, instead of the defaults. Without a sender no webhook is delivered. */
  readonly ports?: Partial<Pick<BillingPorts, 'sender' | 'prices' | 'tokens' | 'settings'>>;
}

/** The whole service over the real Solana adapter and a local chain, with one moved clock for both. */
export interface TestService {
  readonly billing: Billing;
  /** Another host of the same service, on its own store, which reads and writes the same data. */
  readonly billingOn: (store: Store) => Billing;
  readonly store: Store;
  readonly localnet: Localnet;
  readonly rpc: DevelopmentRpc;
  /** The chain as the adapter serves it, without the wrapper of the test. */
  readonly adapter: Chain;
  readonly charger: KeyPairSigner;
  readonly clock: TestClock;
  readonly log: TestLog;
  /** Runs charge passes until one finds nothing due, moving time on where the next work is due within seconds. */
  readonly work: () => Promise<void>;
  /** Closes the store, and fails when the service logged errors that no test forgave. */
  readonly close: () => Promise<void>;
}

/** Work that is due within this time is waited for, instead of being left to the next pass. */
const SOON_MS = 5_000;

export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { savedChain } = options;
  const localnet =
    savedChain === undefined
      ? createLocalnet({ seed: new Uint8Array(32).fill(7) })
      : await restoreLocalnet(savedChain.file);
  const charger = savedChain?.charger ?? (await generateKeyPairSigner());
  const clock = createTestClock(localnet, options);
  const now = () => clock.now();
  const { store, close } = await openTestStore(options.store, options.path);
  const adapter = createSolanaChain({
    rpc: localnetTransport(localnet),
    charger,
    network: 'devnet',
    ...(options.computeUnitPrice === undefined ? {} : { computeUnitPrice: options.computeUnitPrice }),
    // Deadlines of the RPC are real time; nothing here is slow enough to reach one.
    clock: { ...createClock(), now },
  });
  const log = createTestLog();
  let seed = options.seed ?? 1;
  const billingOn = (hostStore: Store) =>
    createTestBilling(
      {
        store: options.wrapStore?.(hostStore) ?? hostStore,
        chain: options.wrapChain?.(adapter) ?? adapter,
        clock,
        random: new SeededRandom(seed++),
        ...options.ports,
      },
      log,
    ).billing;
  const billing = billingOn(store);
  if (savedChain === undefined) localnet.airdrop(charger.address, 10_000_000_000n);
  return {
    ...{ billing, billingOn, store, localnet, adapter, charger, clock, log },
    rpc: localnetRpc(localnet),
    async work() {
      for (;;) {
        const { claimed } = await billing.worker.charge();
        const next = await store.nextWakeAt();
        const wait = next === null ? Infinity : next.getTime() - clock.now().getTime();
        // invariants#timed-work-has-a-wake-date: a pass leaves nothing that is due already.
        if (wait <= 0) throw new Error(`A charge pass left work that is ${-wait} ms overdue.`);
        const isSoon = wait <= SOON_MS;
        if (claimed === 0 && !isSoon) return;
        if (isSoon) clock.advance(Math.max(1000, wait));
      }
    },
    async close() {
      await close();
      if (log.errors.length > 0) throw new Error(`The service logged errors:\n${log.errors.join('\n')}`);
    },
  };
}
