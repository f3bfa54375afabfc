import { inspect } from 'node:util';

import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { createMemoryStore } from '@subrail/adapters/memory';
import { createClock, createCrypto } from '@subrail/adapters/node';
import { createSolanaChain } from '@subrail/adapters/solana';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { createBilling, type Billing, type BillingPorts } from '@subrail/core';
import type { Chain, Clock, Store } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import { createLocalnet, localnetTransport, type Localnet } from '@subrail/localnet';

export interface MovingOptions {
  /** Where rows are kept: in memory unless told, or in a store the test opened and closes itself. */
  readonly store?: 'memory' | 'sqlite' | Store;
  /** Where the SQLite store's file is; in memory unless given. */
  readonly path?: string;
  /** Stands between the service and its chain, or its store: for faults. */
  readonly chain?: (chain: Chain) => Chain;
  readonly between?: (store: Store) => Store;
  /** How far the service's clock is ahead of the chain's. */
  readonly skewMs?: number;
  /** Ports a test brings along; no webhook is sent without a sender. */
  readonly ports?: Partial<Pick<BillingPorts, 'sender' | 'prices' | 'tokens' | 'settings'>>;
}

/** The whole service over the real Solana adapter and a local chain, both moved by one hand: nothing in it ever waits. */
export interface MovingService {
  readonly billing: Billing;
  /** Another host of the same service, on a store of its own that reads and writes the same data. */
  readonly billingOn: (store: Store) => Billing;
  readonly store: Store;
  readonly localnet: Localnet;
  /** The chain without what a test put in between. */
  readonly adapter: Chain;
  readonly charger: KeyPairSigner;
  /** The service's clock. */
  readonly now: () => Date;
  /** Moves the chain and the service together, in whole seconds. */
  readonly advance: (ms: number) => void;
  /** Runs charge passes until one finds nothing due, moving time by the looks between them. */
  readonly work: () => Promise<void>;
  /** Runs `act` with sleeps of the service that move nothing: it waits for somebody outside of this world. */
  readonly standingStill: <T>(act: () => Promise<T>) => Promise<T>;
  /** Forgets the errors the service logged that tell of a fault a test provoked. All others fail it at the end. */
  readonly forgiveErrors: (told: string) => void;
  readonly close: () => Promise<void>;
}

export async function openMovingService(options: MovingOptions = {}): Promise<MovingService> {
  const localnet = createLocalnet({ seed: new Uint8Array(32).fill(7) });
  const charger = await generateKeyPairSigner();
  const logged: string[] = [];
  const advance = (ms: number) => {
    const wholeSeconds = Math.round(ms / 1000);
    localnet.advance({ seconds: wholeSeconds });
  };
  const now = () => new Date(localnet.now().getTime() + (options.skewMs ?? 0));
  let still = false;
  // A sleep in the service moves the world: nothing in a test waits.
  const clock: Clock = {
    now,
    async sleep(ms, signal) {
      // Whoever sleeps beside other work is given the time to be woken by it.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true && !still) advance(ms);
    },
  };
  const opened = await openStore(options);
  const adapter = createSolanaChain({
    rpc: localnetTransport(localnet),
    charger,
    network: 'devnet',
    // Deadlines of the RPC are real time; nothing here is slow enough to meet one.
    clock: { ...createClock(), now },
  });
  let hosts = 0;
  const billingOn = (store: Store) =>
    createBilling({
      store: options.between?.(store) ?? store,
      chain: options.chain?.(adapter) ?? adapter,
      clock,
      random: new SeededRandom(++hosts),
      crypto: createCrypto(new Uint8Array(32).fill(9)),
      logger: {
        debug() {},
        info() {},
        warn() {},
        error: (facts, message) => logged.push(`${message} ${inspect(facts)}`),
      },
      sender: { post: () => Promise.reject(new Error('No endpoint is registered.')) },
      ...options.ports,
    });
  const billing = billingOn(opened.store);
  localnet.airdrop(charger.address, 10_000_000_000n);
  return {
    billing,
    billingOn,
    store: opened.store,
    localnet,
    adapter,
    charger,
    now,
    advance,
    async work() {
      for (;;) {
        const { claimed } = await billing.worker.charge();
        const next = await opened.store.nextWakeAt();
        const wait = next === null ? Infinity : next.getTime() - now().getTime();
        // invariants#timed-work-has-a-wake-date: a pass leaves nothing that is due already.
        if (wait <= 0) throw new Error(`A pass left work ${-wait} ms overdue.`);
        const soon = wait <= 5_000;
        if (claimed === 0 && !soon) return;
        if (soon) advance(Math.max(1000, wait));
      }
    },
    async standingStill(act) {
      still = true;
      try {
        return await act();
      } finally {
        still = false;
      }
    },
    forgiveErrors: (told) =>
      void logged.splice(0, logged.length, ...logged.filter((line) => !line.includes(told))),
    async close() {
      await opened.close();
      if (logged.length > 0) throw new Error(`The service logged errors:\n${logged.join('\n')}`);
    },
  };
}

async function openStore({ store = 'memory', path = ':memory:' }: MovingOptions) {
  if (store === 'sqlite') return openSqliteStore({ path });
  return { store: store === 'memory' ? createMemoryStore() : store, close: () => Promise.resolve() };
}
