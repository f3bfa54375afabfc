import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { createPrivateFile, loadOrCreateSecret } from './private-files.js';
import { StateError } from './state-error.js';

/** The bytes before an Ed25519 private key in PKCS #8. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A keypair in the format of a Solana key file: a JSON list of 64 bytes, the private key's 32 first. */
function keypairOf(privateKey: Uint8Array): string {
  const key = Buffer.concat([PKCS8_START, privateKey]);
  const publicKey = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return JSON.stringify([...privateKey, ...Buffer.from(x, 'base64url')]);
}

const newPrivateKey = (): Uint8Array => randomBytes(32);

/**
 * Loads the signer from a Solana key file, which `solana-keygen` reads too. Creates the file if there is
 * none, with the private key that `create` returns, 32 bytes. Throws a StateError when the file holds no
 * key.
 */
export async function loadOrCreateSigner(path: string, create = newPrivateKey): Promise<KeyPairSigner> {
  const keypair = loadOrCreateSecret(path, () => keypairOf(create()));
  try {
    return await signerFromSecret(keypair, `The key file ${path}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StateError(
      `${error.message} Restore the file from a copy, or delete the folder ${dirname(path)} to start over.`,
    );
  }
}

/** Creates a key file with a new key, and returns its address; null when there is a file at the path. */
export async function createKeyFile(path: string): Promise<string | null> {
  const keypair = keypairOf(newPrivateKey());
  if (!createPrivateFile(path, keypair)) return null;
  return (await signerFromSecret(keypair, `The key file ${path}`)).address;
}
