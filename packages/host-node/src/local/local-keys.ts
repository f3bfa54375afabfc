import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { loadOrCreateSecret } from '../state/private-files.js';
import { loadOrCreateSigner } from '../state/signer-file.js';

/** Everybody in the world of a development host, each with a key file in its folder. */
export interface LocalKeys {
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
export async function loadLocalKeys(folder: string): Promise<LocalKeys> {
  const [charger, owner, wallet, mint] = await Promise.all([
    loadOrCreateSigner(join(folder, 'charger.json')),
    loadOrCreateSigner(join(folder, 'owner.json')),
    loadOrCreateSigner(join(folder, 'wallet.json')),
    loadOrCreateSigner(join(folder, 'mint.json')),
  ]);
  const sealingKey = loadOrCreateSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  return { charger, owner, wallet, mint, sealingKey: Uint8Array.from(Buffer.from(sealingKey, 'hex')) };
}
