import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { keptSecret } from '../state/folder.js';
import { keptSigner } from '../state/keypairs.js';

/** Everybody in the world of a development host, each with a key file in its folder. */
export interface WorldKeys {
  /** Charges; pays the fees of scheduled charges. */
  readonly charger: KeyPairSigner;
  /** Owns the plan, is paid, and mints the demo token. */
  readonly owner: KeyPairSigner;
  /** A customer. */
  readonly wallet: KeyPairSigner;
  /** The address of the demo token. */
  readonly mint: KeyPairSigner;
  /** Seals secrets in the store. */
  readonly sealingKey: Uint8Array;
}

/** Finds the keys in a folder, making those that are not there. */
export async function worldKeys(folder: string): Promise<WorldKeys> {
  const [charger, owner, wallet, mint] = await Promise.all([
    keptSigner(join(folder, 'charger.json')),
    keptSigner(join(folder, 'owner.json')),
    keptSigner(join(folder, 'wallet.json')),
    keptSigner(join(folder, 'mint.json')),
  ]);
  const sealingKey = keptSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  return { charger, owner, wallet, mint, sealingKey: Uint8Array.from(Buffer.from(sealingKey, 'hex')) };
}
