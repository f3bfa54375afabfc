import { open } from 'node:fs/promises';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '../solana/sign/signers.js';

/** The permission bits of everyone but the owner. */
const OTHERS = 0o077;

/**
 * Reads a signer from a key file as Solana's tools write it: a JSON array of 64 bytes. Errors name the path and never
 * contain any of the key.
 *
 * @throws TypeError when the file cannot be opened, holds no key, or has permissions for anyone but its owner (not
 * checked on Windows)
 */
export async function signerFromKeyFile(path: string): Promise<KeyPairSigner> {
  const file = await open(path).catch(() => null);
  if (file === null)
    throw new TypeError(
      `The key file ${path} is missing or cannot be opened. Check the path and its permissions.`,
    );
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new TypeError(
        `The key file ${path} can be read or changed by other users. Run: chmod 600 ${path}`,
      );
    }
    return await signerFromSecret(await file.readFile('utf8'), `The key file ${path}`);
  } finally {
    await file.close();
  }
}
