import { generateKeyPairSync } from 'node:crypto';
import type { KeyPairSigner } from '@solana/kit';
import { signerFromSecret } from '@subrail/adapters/solana';
import { loadOrCreateSecret } from './private-files.js';

/** A new keypair as Solana key files hold it: the numbers of its 64 bytes, secret half first. */
function newKeypair(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  const halves = [jwk.d, jwk.x].map((half) => Buffer.from(half ?? '', 'base64url'));
  return JSON.stringify([...Buffer.concat(halves)]);
}

/** The signer whose keypair is kept at `path`, made there when it is not. The file is what `solana-keygen` reads. */
export function loadOrCreateSigner(path: string): Promise<KeyPairSigner> {
  return signerFromSecret(loadOrCreateSecret(path, newKeypair), `The key file ${path}`);
}
