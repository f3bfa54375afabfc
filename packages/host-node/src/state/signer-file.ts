import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { createPrivateFile, loadOrCreateSecret } from './private-files.js';
import { StateError } from './state-error.js';

/** The bytes before an Ed25519 secret in PKCS #8. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A keypair in the format of a Solana key file: a JSON list of its 64 bytes, the 32 of the secret first. */
function keypairOf(secret: Uint8Array): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, secret]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return JSON.stringify([...secret, ...Buffer.from(x, 'base64url')]);
}

const newSecret = (): Uint8Array => randomBytes(32);

/**
 * Loads the signer from a Solana key file, which `solana-keygen` reads too. Creates the file if there is
 * none, with the 32 bytes that `create` returns as its secret. Throws a StateError when the file holds no
 * key.
 */
export async function loadOrCreateSigner(path: string, create = newSecret): Promise<KeyPairSigner> {
  const secret = loadOrCreateSecret(path, () => keypairOf(create()));
  try {
    return await signerFromSecret(secret, `The key file ${path}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StateError(
      `${error.message} Restore the file from a copy, or delete the folder ${dirname(path)} to start over.`,
    );
  }
}

/** Creates a key file with a new key, and returns its address; null when there is a file at the path. */
export async function createKeyFile(path: string): Promise<string | null> {
  const secret = keypairOf(newSecret());
  if (!createPrivateFile(path, secret)) return null;
  return (await signerFromSecret(secret, `The key file ${path}`)).address;
}
