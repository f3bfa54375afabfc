// Subrail in your own server. It opens no socket: mount the handler in any server with a fetch `Request`.

import { randomBytes } from 'node:crypto';
import { generateKeyPairSigner } from '@solana/kit';
import { createHttpSender } from '@subrail/adapters/http';
import { createClock, createCrypto, createRandom } from '@subrail/adapters/node';
import { createSolanaChain } from '@subrail/adapters/solana';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { createBilling, createHandler, type Billing, type FetchHandler } from '@subrail/core';
import { createLocalnet, localnetTransport } from '@subrail/localnet';

/** The service inside your server. */
export interface Embedded {
  /** The service as functions. */
  readonly billing: Billing;
  /** Serves the contract under `/billing/v1`. */
  readonly handler: FetchHandler;
  /** Charges and delivers what is due. Call it every second. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sets up the service on SQLite and a local chain. For a cluster, pass its URL as `rpc` and your own key as `charger`.
 */
export async function embed(path: string): Promise<Embedded> {
  const clock = createClock();
  const { store, close } = await openSqliteStore({ path });
  const solana = createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) });
  solana.resumeClock();
  const billing = createBilling({
    store,
    chain: createSolanaChain({
      rpc: localnetTransport(solana),
      charger: await generateKeyPairSigner(),
      network: 'devnet',
      clock,
    }),
    clock,
    random: createRandom(),
    // Keep this key: without it, the secrets in the store cannot be decrypted.
    crypto: createCrypto(randomBytes(32)),
    sender: createHttpSender(),
  });
  return {
    billing,
    handler: createHandler(billing, { basePath: '/billing' }),
    async tick() {
      await Promise.all([billing.worker.charge(), billing.worker.deliver()]);
    },
    close,
  };
}
