import { generateKeyPairSync } from 'node:crypto';
import { dirname } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { createPrivateFile, loadOrCreateSecret } from './private-files.js';
import { StateError } from './state-error.js';

/** A new keypair in the format of a Solana key file: a JSON list of its 64 bytes, the secret half first. */
function newKeypair(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  const halves = [jwk.d, jwk.x].map((half) => Buffer.from(half ?? '', 'base64url'));
  return JSON.stringify([...Buffer.concat(halves)]);
}

/**
 * Loads the signer from a Solana key file, which `solana-keygen` reads too. Creates the file if there is none. Throws a
 * StateError when the file holds no key.
 */
export async function loadOrCreateSigner(path: string): Promise<KeyPairSigner> {
  const secret = loadOrCreateSecret(path, newKeypair);
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
  const secret = newKeypair();
  if (!createPrivateFile(path, secret)) return null;
  return (await signerFromSecret(secret, `The key file ${path}`)).address;
}
