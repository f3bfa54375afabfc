import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { mayBeKey } from './key-material.js';
import { loadSolana } from './load-adapter.js';
import { permissionsOfSecret } from './secret-permissions.js';
import { shellWord } from './shell-word.js';

/**
 * Reads a signer from a key file of Solana tools: a JSON array of 64 bytes. Errors name the path and show
 * nothing of a key, even one given as the path.
 *
 * @throws TypeError when the file cannot be opened, holds no key, or has permissions for others that this
 * process could remove (not checked on Windows)
 * @example
 * const charger = await signerFromKeyFile('charger.json');
 */
export async function signerFromKeyFile(path: string): Promise<KeyPairSigner> {
  const file = await open(path).catch(() => null);
  if (file === null) {
    throw new TypeError(
      mayBeKey(path)
        ? 'The path of the key file looks like a key, so it is not shown here, and no file can be opened at it. Give the path of a file.'
        : `The key file ${resolve(path)} is missing or cannot be opened. Check the path and its permissions. To make a new key, run: solana-keygen new -o ${shellWord(path)} (or subrail keygen --out ${shellWord(path)})`,
    );
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new TypeError(`The key file ${path} is not a file. Check the path.`);
    const { remedy } = permissionsOfSecret(file.fd, path);
    if (remedy !== null)
      throw new TypeError(`The key file ${path} can be read or changed by other users. ${remedy}`);
    const { signerFromSecret } = await loadSolana();
    return await signerFromSecret(await file.readFile('utf8'), `The key file ${path}`);
  } finally {
    await file.close();
  }
}
