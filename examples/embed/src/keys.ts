import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';

/** Only the owner may read a key, and a key that exists is never written over. */
const NEW_KEY = { mode: 0o600, flag: 'wx' };

/** The path of the charger's key file, which is created as by `solana-keygen new` unless it exists. */
export async function chargerFile(path: string): Promise<string> {
  if (existsSync(path)) return path;
  const secret = randomBytes(32);
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(secret);
  writeFileSync(path, JSON.stringify([...secret, ...getAddressEncoder().encode(address)]), NEW_KEY);
  return path;
}

/** Returns the sealing key that a file has. Creates the file with a new key unless it exists. */
export function sealingKeyOf(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), NEW_KEY);
  return readFileSync(path, 'utf8');
}
