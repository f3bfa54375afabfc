import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  hash,
  randomBytes,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { CryptoProvider } from '@subrail/core/ports';
import { NONCE_BYTES, TAG_BYTES, packSealed, requireKeyLength, unpackSealed } from '../sealed-text.js';

const CIPHER = 'aes-256-gcm';

/**
 * Creates the Crypto port on node:crypto. Secrets are sealed with AES-256-GCM under `sealingKey`, 32 bytes that you
 * keep outside the store, so that the store alone is not enough to sign a webhook. Without the key, sealed secrets are
 * lost.
 *
 * @throws TypeError when the key does not have 32 bytes
 */
export function createCrypto(sealingKey: Uint8Array): CryptoProvider {
  requireKeyLength(sealingKey);
  const key = createSecretKey(sealingKey);
  return {
    async digest(data) {
      return new Uint8Array(hash('sha256', data, 'buffer'));
    },
    async mac(macKey, data) {
      return new Uint8Array(createHmac('sha256', macKey).update(data).digest());
    },
    async seal(plain) {
      // A random nonce of 96 bits is safe for four billion seals under one key; each endpoint needs a few.
      const nonce = Uint8Array.from(randomBytes(NONCE_BYTES));
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const ciphertext = Uint8Array.from(Buffer.concat([cipher.update(plain), cipher.final()]));
      return packSealed({ nonce, tag: Uint8Array.from(cipher.getAuthTag()), ciphertext });
    },
    async open(sealed) {
      const { nonce, tag, ciphertext } = unpackSealed(sealed);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      return Uint8Array.from(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
    },
    async verify(publicKey, message, signature) {
      const verifier = ed25519Key(publicKey);
      return verifier !== null && verify(null, message, verifier, signature);
    },
  };
}

function ed25519Key(bytes: Uint8Array): KeyObject | null {
  if (bytes.length !== 32) return null;
  try {
    const x = Buffer.from(bytes).toString('base64url');
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  } catch {
    return null;
  }
}
