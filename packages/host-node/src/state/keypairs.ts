import { generateKeyPairSync } from 'node:crypto';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { keptSecret } from './folder.js';

/** A new keypair as Solana key files hold it: the numbers of its 64 bytes, secret half first. */
export function newKeypair(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  return Uint8Array.from(
    Buffer.concat([Buffer.from(jwk.d ?? '', 'base64url'), Buffer.from(jwk.x ?? '', 'base64url')]),
  );
}

/** The signer whose keypair is kept at `path`, made there when it is not. The file is what `solana-keygen` reads. */
export function keptSigner(path: string): Promise<KeyPairSigner> {
  const text = keptSecret(path, () => JSON.stringify([...newKeypair()]));
  return createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(text) as number[]));
}
