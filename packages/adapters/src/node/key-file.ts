import { readFile, stat } from 'node:fs/promises';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '../solana/signers.js';

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077;

/**
 * The signer of a key file as Solana's tools write it: a JSON array of 64 bytes. Throws a TypeError with a sentence when
 * the file is missing, is not a key, or may be read by anyone but its owner (where the system has such permissions).
 */
export async function signerFromKeyFile(path: string): Promise<KeyPairSigner> {
  const mode = await stat(path).then(
    (found) => found.mode,
    () => null,
  );
  if (mode === null) throw new TypeError(`There is no key file at ${path}.`);
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw new TypeError(`The key file ${path} is open to other users. Run: chmod 600 ${path}`);
  }
  return signerFromSecret(await readFile(path, 'utf8'), `The key file ${path}`);
}
