import {
  generateKeyPairSigner,
  type KeyPairSigner,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';
import { createMemoryStore } from '@subrail/adapters/memory';
import { createClock } from '@subrail/adapters/web';
import { createSolanaChain } from '@subrail/adapters/solana';
import type { Billing, BillingPorts } from '@subrail/core';
import type { Chain, Clock, FullStore, Random, Store } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import {
  createLocalnet,
  localnetRpc,
  localnetTransport,
  type Localnet,
  type LocalnetOptions,
} from '@subrail/localnet';

import { createBillingWithDefaults } from './billing-with-defaults.js';
import { createPatientClock } from './patient-clock.js';
import { createTestClock, type TestClock, type TestClockOptions } from './test-clock.js';
import { createTestLog, type TestLog } from './test-log.js';
import { workUntil } from './work-until.js';

/** The options of `openLocalService`. */
export interface LocalServiceOptions extends TestClockOptions {
  /** A new store in memory by default. A given store is closed by its giver. */
  readonly store?: FullStore;
  /** The start of the chain's time, in whole seconds; 2026-01-01 by default. */
  readonly startAt?: Date;
  /** Signs charges and pays their fees; a new key with 10 SOL by default. */
  readonly charger?: KeyPairSigner;
  /** A chain that another service used, whose charger is given too; a new chain by default. */
  readonly localnet?: Localnet;
  /** Further programs of the chain, by address. */
  readonly programs?: LocalnetOptions['programs'];
  /**
   * The RPC nodes over which the service reaches the chain, the preferred one first, made from one that has
   * no faults; that one alone by default. How long the service waits for a given node is moved time, so that
   * one that never answers costs none.
   */
  readonly nodes?: (node: RpcTransport) => readonly RpcTransport[];
  /** Wraps the chain that the service uses, to inject faults. */
  readonly wrapChain?: (chain: Chain) => Chain;
  /** Wraps the store that the service uses, to inject faults or take capabilities away. */
  readonly wrapStore?: (store: FullStore) => Store;
  /** The service's bid for a compute unit, in micro-lamports; nothing by default. */
  readonly computeUnitPrice?: bigint;
  /** Makes the clock of a machine that is wrong from the moved one, which is right and the default. */
  readonly makeClock?: (moved: TestClock) => Clock;
  /** Seeds ids and secrets; another host of the same service gets the next number. */
  readonly seed?: number;
  /** The randomness of the service, in place of the seed. Other hosts have their own. */
  readonly random?: Random;
  /** Ports of the test, instead of the defaults. Without a sender no webhook is delivered. */
  readonly ports?: Partial<
    Pick<BillingPorts, 'sender' | 'mailer' | 'prices' | 'tokens' | 'alertNotifier' | 'settings' | 'telemetry'>
  >;
}

/** The whole service over the real Solana adapter and a local chain, with one moved clock for both. */
export interface LocalService {
  readonly billing: Billing;
  /** Another host of the same service, on its own store, which reads and writes the same data. */
  readonly billingOn: (store: FullStore) => Billing;
  readonly store: FullStore;
  readonly localnet: Localnet;
  /** Calls the chain's RPC within this process. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The chain as the adapter serves it, without the wrapper of the test. */
  readonly adapter: Chain;
  readonly charger: KeyPairSigner;
  readonly clock: TestClock;
  readonly log: TestLog;
  /** Runs charge passes until nothing is due, moving time on where the next work is due within seconds. */
  readonly work: () => Promise<void>;
  /**
   * Moves time to an instant and does all work on the way, charges and deliveries, each when it is due. Then
   * it goes on like `work`, so that a charge that was just sent has its outcome: time may end some seconds
   * later.
   */
  readonly workUntil: (instant: Date) => Promise<void>;
  /** Fails when the service logged errors that no test forgave. */
  readonly close: () => Promise<void>;
}

const CHARGER_LAMPORTS = 10_000_000_000n;

/**
 * Opens the service over a local chain in this process.
 *
 * @example
 * const service = await openLocalService({ wrapStore: (store) => failingStore(store) });
 */
export async function openLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { startAt, store = createMemoryStore() } = options;
  const localnet =
    options.localnet ??
    createLocalnet({
      seed: new Uint8Array(32).fill(7),
      ...(options.programs === undefined ? {} : { programs: options.programs }),
      ...(startAt === undefined ? {} : { unixTime: BigInt(Math.floor(startAt.getTime() / 1000)) }),
    });
  const charger = options.charger ?? (await generateKeyPairSigner());
  const clock = createTestClock(localnet, options);
  const serviceClock = options.makeClock?.(clock) ?? clock;
  const now = () => clock.now();
  const node = localnetTransport(localnet);
  const adapter = createSolanaChain({
    rpc: options.nodes?.(node) ?? node,
    charger,
    network: 'devnet',
    ...(options.computeUnitPrice === undefined ? {} : { computeUnitPrice: options.computeUnitPrice }),
    ...(options.nodes === undefined
      ? // Deadlines of the RPC are real time; nothing here is slow enough to reach one.
        { clock: { ...serviceClock, sleep: (ms, signal) => createClock().sleep(ms, signal) } }
      : { clock: createPatientClock(clock), elapsed: () => now().getTime() }),
  });
  const log = createTestLog();
  let seed = (options.seed ?? 1) + (options.random === undefined ? 0 : 1);
  const billingOn = (hostStore: FullStore, random: Random = new SeededRandom(seed++)) =>
    createBillingWithDefaults(
      {
        store: options.wrapStore?.(hostStore) ?? hostStore,
        chain: options.wrapChain?.(adapter) ?? adapter,
        clock: serviceClock,
        random,
        ...options.ports,
      },
      log,
    ).billing;
  const billing = billingOn(store, options.random);
  if (options.localnet === undefined) localnet.airdrop(charger.address, CHARGER_LAMPORTS);
  return {
    billingOn: (hostStore) => billingOn(hostStore),
    billing,
    store,
    localnet,
    adapter,
    charger,
    clock,
    log,
    rpc: localnetRpc(localnet),
    work: () => workUntil({ billing, store, clock }, now(), 'charges'),
    workUntil: (instant) => workUntil({ billing, store, clock }, instant, 'charges and deliveries'),
    async close() {
      if (log.errors.length > 0) throw new Error(`The service logged errors:\n${log.errors.join('\n')}`);
    },
  };
}
