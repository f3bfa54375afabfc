import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateTargets } from '@subrail/core/ports';
import { isLocalKeypair, isLocalSecret } from '../state/local-secret.js';

/** The part of a configuration that may be there by accident. */
interface Given {
  readonly chain: { readonly kind: 'localnet' | 'rpc' };
  readonly chargerKey: string | null;
  readonly sealingKey: Uint8Array | null;
  readonly privateTargets: PrivateTargets;
  readonly dataDir: string;
}

/**
 * A problem for each thing in a configuration with RPC servers that is for the local chain only. A
 * configuration that was tried on the local chain and then pointed at RPC servers has them by accident.
 */
export function findAccidents({
  chain,
  chargerKey,
  sealingKey,
  privateTargets,
  dataDir,
}: Given): readonly string[] {
  if (chain.kind === 'localnet') return [];
  const problems: string[] = [];
  if (chargerKey !== null && isLocalKeypair(chargerKey)) {
    problems.push(
      'charger_key is a key of a local chain, which is for trying things out. Make another with "subrail keygen --out charger.json", and send it SOL.',
    );
  }
  if (sealingKey !== null && isLocalSecret(sealingKey)) {
    problems.push(
      'sealing_key is a key of a local chain, which is for trying things out. Make another with "openssl rand -hex 32".',
    );
  }
  if (privateTargets === true) {
    problems.push(
      'private_targets is true, which lets webhooks reach every address of your network, and is for the local chain only: remove it, or list the few hosts that webhooks may reach, such as localhost:3000.',
    );
  }
  if (existsSync(join(dataDir, 'chain'))) {
    problems.push(
      `data_dir is ${dataDir}, which belongs to a local chain: its keys and its database are for no other network. Choose another folder.`,
    );
  }
  return problems;
}
