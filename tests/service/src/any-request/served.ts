import { inspect } from 'node:util';
import { createClock, createCrypto } from '@subrail/adapters/node';
import { createSolanaChain } from '@subrail/adapters/solana';
import { createBilling, createHandler, type Billing, type FetchHandler } from '@subrail/core';
import type { Chain, Clock, Store } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import { localnetRpc, localnetTransport, restoreLocalnet } from '@subrail/localnet';

import type { DevelopmentRpc } from '@subrail/host-node/local';
import type { Stage } from './fixtures.js';

/** A stage as it was kept, to begin from again and again. */
export interface Kept {
  readonly stage: Stage;
  /** The saved chain. */
  readonly chainFile: string;
  /** A store with the stage's rows in it. */
  openRows(): Promise<Rows>;
}

export interface Rows {
  readonly store: Store;
  /** Every row but those that keep when a key was last used; equal lists, item by item, are equal states. */
  all(): readonly unknown[];
  close(): Promise<void>;
}

/** The service over a copy of the stage: what is done to it, no other copy sees. */
export interface Served {
  readonly billing: Billing;
  readonly handler: FetchHandler;
  readonly rpc: DevelopmentRpc;
  readonly rows: Rows;
  /** Errors the service logged. */
  readonly logged: string[];
  advance(ms: number): void;
}

/** What stands between the service and its ports, for faults. */
export interface Between {
  readonly chain?: (chain: Chain) => Chain;
  readonly store?: (store: Store) => Store;
}

export async function serve(kept: Kept, between: Between = {}): Promise<Served> {
  const [chain, rows] = await Promise.all([restoreLocalnet(kept.chainFile), kept.openRows()]);
  const advance = (ms: number) => {
    if (ms > 0) chain.advance({ seconds: Math.round(ms / 1000) });
  };
  const clock: Clock = {
    now: () => chain.now(),
    async sleep(ms, signal) {
      await new Promise((resolve) => setImmediate(resolve));
      // Whoever sleeps oversleeps, and a wait of 90 seconds is over in three looks.
      if (signal?.aborted !== true) advance(Math.max(30_000, ms));
    },
  };
  const adapter = createSolanaChain({
    ...{ rpc: localnetTransport(chain), charger: kept.stage.world.charger, network: 'devnet' },
    clock: createClock(),
  });
  const logged: string[] = [];
  const billing = createBilling({
    store: between.store?.(rows.store) ?? rows.store,
    chain: between.chain?.(adapter) ?? adapter,
    clock,
    // Other ids than the stage's.
    random: new SeededRandom(2),
    crypto: createCrypto(new Uint8Array(32).fill(9)),
    logger: {
      debug() {},
      info() {},
      warn() {},
      error: (facts, message) => logged.push(`${message} ${inspect(facts)}`),
    },
    sender: { post: () => Promise.reject(new Error('No delivery is made here.')) },
  });
  const rpc = localnetRpc(chain) as DevelopmentRpc;
  return { billing, handler: createHandler(billing), rpc, rows, logged, advance };
}
