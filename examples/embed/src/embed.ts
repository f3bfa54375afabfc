// Subrail in your own server. It opens no socket: mount the handler in any server with a fetch `Request`, or
// `toNodeHandler(billing)` in Express and Fastify.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import { openBilling } from '@subrail/adapters/node';
import type { Billing } from '@subrail/core';
import {
  createLocalnet,
  localnetRpc,
  localnetTransport,
  restoreLocalnet,
  type Localnet,
} from '@subrail/localnet';
import { chargerFile, sealingKeyOf } from './keys.js';

/** The service inside your server. */
export interface Embedded {
  /** The service as functions. Its `handler` serves the contract at `/billing/v1`; its `worker` charges. */
  readonly billing: Billing;
  /** The chain, for what wallets send themselves. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The local chain itself, to give its wallets money and to move its time. */
  readonly solana: Localnet;
  close(): Promise<void>;
}

/**
 * Opens the service on a folder with everything that must outlive the process: the database, the charger's
 * key, the sealing key, and the local chain. On a cluster, pass its URLs as `rpc` and keep the keys with your
 * other secrets; nothing of the local chain is left.
 */
export async function embed(folder: string): Promise<Embedded> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const chainFile = join(folder, 'chain');
  const solana = await openChain(chainFile);
  const billing = await openBilling({
    database: join(folder, 'billing.db'),
    rpc: localnetTransport(solana),
    charger: await chargerFile(join(folder, 'charger.json')),
    // With another key, the secrets in the database could not be decrypted, and no webhook could be signed.
    sealingKey: sealingKeyOf(join(folder, 'sealing-key')),
    handler: { basePath: '/billing' },
  });
  return {
    billing,
    rpc: localnetRpc(solana),
    solana,
    async close() {
      await billing.close();
      await solana.save(chainFile);
    },
  };
}

/** The chain of the last start, at the time of now, or a new one. */
async function openChain(file: string): Promise<Localnet> {
  const solana = existsSync(file)
    ? await restoreLocalnet(file)
    : createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)) });
  const behindMs = Date.now() - solana.now().getTime();
  solana.advance({ seconds: Math.max(0, behindMs) / 1000 });
  solana.resumeClock();
  return solana;
}
