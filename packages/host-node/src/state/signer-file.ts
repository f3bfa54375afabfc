import { generateKeyPairSync } from 'node:crypto';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { loadOrCreateSecret } from './private-files.js';

/** A new keypair in the format of a Solana key file: a JSON list of its 64 bytes, the secret half first. */
function newKeypair(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  const halves = [jwk.d, jwk.x].map((half) => Buffer.from(half ?? '', 'base64url'));
  return JSON.stringify([...Buffer.concat(halves)]);
}

/** Loads the signer from a Solana key file, which `solana-keygen` reads too. Creates the file if there is none. */
export function loadOrCreateSigner(path: string): Promise<KeyPairSigner> {
  return signerFromSecret(loadOrCreateSecret(path, newKeypair), `The key file ${path}`);
}
