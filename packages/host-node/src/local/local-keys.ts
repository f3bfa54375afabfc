import { join, resolve } from 'node:path';
import type { Address, KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { isLocalKeypair, newLocalSecret } from '../state/local-secret.js';
import { loadOrCreateSecret, readPrivateFile } from '../state/private-files.js';
import { loadOrCreateSigner } from '../state/signer-file.js';

/**
 * The keys that are used on a local chain. Each is stored in a separate file of the data folder, and has the
 * mark by which a host with RPC servers refuses it.
 */
export interface LocalKeys {
  /** Signs charges and pays their fees. */
  readonly charger: KeyPairSigner;
  /** Owns the plan, receives the payments and mints the demo token. */
  readonly owner: KeyPairSigner;
  /** The wallet of a customer. */
  readonly wallet: KeyPairSigner;
  /** The keypair of the demo token's mint account, whose address is the token's. */
  readonly mint: KeyPairSigner;
  /** Encrypts secrets in the store. */
  readonly sealingKey: Uint8Array;
}

const CHARGER_FILE = 'charger.json';
const SEALING_KEY_FILE = 'sealing-key';
const MINT_FILE = 'mint.json';

/** Whether a folder has a charger that was made for RPC servers. */
export function hasOtherCharger(folder: string): boolean {
  const text = readPrivateFile(join(folder, CHARGER_FILE));
  return text !== null && !isLocalKeypair(text);
}

/** Reads the sealing key of a folder; null when the folder has none. */
export function readLocalSealingKey(folder: string): Uint8Array | null {
  const text = readPrivateFile(join(folder, SEALING_KEY_FILE));
  return text === null ? null : sealingKeyFromHex(text);
}

/** Reads a key of a folder; null when the folder has none, because it has no local chain or none yet. */
export async function readLocalKey(folder: string, name: string): Promise<KeyPairSigner | null> {
  const path = resolve(join(folder, name));
  const secret = readPrivateFile(path);
  return secret === null ? null : signerFromSecret(secret, `The key file ${path}`);
}

/** Reads the address of the demo token of a folder; null when the folder has no local chain or none yet. */
export async function readDemoMint(folder: string): Promise<Address | null> {
  return (await readLocalKey(folder, MINT_FILE))?.address ?? null;
}

/** Loads the keys from a folder and creates the missing ones. */
export async function loadLocalKeys(folder: string): Promise<LocalKeys> {
  const load = (name: string) => loadOrCreateSigner(join(folder, name), newLocalSecret);
  const [charger, owner, wallet, mint] = await Promise.all([
    load(CHARGER_FILE),
    load('owner.json'),
    load('wallet.json'),
    load(MINT_FILE),
  ]);
  const sealingKey = loadOrCreateSecret(join(folder, SEALING_KEY_FILE), () =>
    Buffer.from(newLocalSecret()).toString('hex'),
  );
  return { charger, owner, wallet, mint, sealingKey: sealingKeyFromHex(sealingKey) };
}

function sealingKeyFromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
