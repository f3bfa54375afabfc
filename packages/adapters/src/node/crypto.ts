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

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The version that begins a sealed text, so that a later form can be added while stored secrets stay readable. */
const VERSION_PREFIX = 'v1.';

/**
 * Creates the Crypto port on node:crypto. Secrets are sealed with AES-256-GCM under `sealingKey`, 32 bytes that you
 * keep outside the store, so that the store alone is not enough to sign a webhook. Without the key, sealed secrets are
 * lost.
 *
 * @throws TypeError when the key does not have 32 bytes
 */
export function createCrypto(sealingKey: Uint8Array): CryptoProvider {
  if (sealingKey.length !== KEY_BYTES) {
    throw new TypeError(`The sealing key must have ${KEY_BYTES} bytes, but has ${sealingKey.length}.`);
  }
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
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return VERSION_PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    async open(sealed) {
      const bytes = unpack(sealed);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const plain = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return new Uint8Array(Buffer.concat([plain, decipher.final()]));
    },
    async verify(publicKey, message, signature) {
      const verifier = ed25519Key(publicKey);
      return verifier !== null && verify(null, message, verifier, signature);
    },
  };
}

function unpack(sealed: string): Buffer {
  const bytes = Buffer.from(sealed.slice(VERSION_PREFIX.length), 'base64url');
  // Decoding is lenient, so the text must equal what `seal` would write for these bytes.
  if (sealed !== VERSION_PREFIX + bytes.toString('base64url') || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new Error(
      'A sealed secret cannot be opened: the stored text was changed, or was not written by this release.',
    );
  }
  return bytes;
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
