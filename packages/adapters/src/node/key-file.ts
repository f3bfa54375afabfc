import { open } from 'node:fs/promises';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '../solana/sign/signers.js';

/** Permission bits of everyone but the owner. */
const OTHERS = 0o077;

/**
 * The signer of a key file as Solana's tools write it: a JSON array of 64 bytes. Throws a TypeError with a sentence when
 * the file cannot be opened, is not a key, or is open to anyone but its owner (where the system has such permissions).
 */
export async function signerFromKeyFile(path: string): Promise<KeyPairSigner> {
  const file = await open(path).catch(() => null);
  if (file === null) throw new TypeError(`The key file ${path} is missing or cannot be opened.`);
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new TypeError(`The key file ${path} is open to other users. Run: chmod 600 ${path}`);
    }
    return await signerFromSecret(await file.readFile('utf8'), `The key file ${path}`);
  } finally {
    await file.close();
  }
}
