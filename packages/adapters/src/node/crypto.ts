import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
} from 'node:crypto';
import type { CryptoProvider } from '@subrail/core/ports';
import { keyIdOf, NONCE_BYTES, TAG_BYTES } from '../sealed-text.js';
import { createSealing, type Cipher } from '../sealing.js';

const CIPHER = 'aes-256-gcm';

/**
 * Creates the Crypto port on node:crypto. Secrets are sealed with AES-256-GCM under `sealingKey`, 32 bytes
 * kept outside the store, so that the store alone cannot sign a webhook. Without the key sealed secrets are
 * lost. The `older` keys open what they sealed, so that the key can be rotated.
 *
 * @throws TypeError when a key does not have 32 bytes; the message has nothing of the key
 * @example
 * const crypto = createCrypto(sealingKey);
 * const rotated = createCrypto(sealingKey, { older: [olderSealingKey] });
 */
export function createCrypto(
  sealingKey: Uint8Array,
  { older = [] }: { readonly older?: readonly Uint8Array[] } = {},
): CryptoProvider {
  return {
    async digest(text) {
      return hash('sha256', text, 'hex');
    },
    mac,
    ...createSealing(sealingKey, older, { mac, cipherOf }),
  };
}

/**
 * Returns the 16 hexadecimal digits that name a sealing key in what it sealed. They are equal in processes
 * with the same key, and do not lead back to it.
 *
 * @example
 * console.log(`The sealing key is ${await sealingKeyId(sealingKey)}.`);
 */
export function sealingKeyId(sealingKey: Uint8Array): Promise<string> {
  return keyIdOf(sealingKey, mac);
}

async function mac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(createHmac('sha256', key).update(data).digest());
}

function cipherOf(bytes: Uint8Array): Cipher {
  const key = createSecretKey(bytes);
  return {
    async encrypt(plain) {
      // Random nonces of 96 bits are safe for four billion seals under a key.
      const nonce = Uint8Array.from(randomBytes(NONCE_BYTES));
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const ciphertext = Uint8Array.from(Buffer.concat([cipher.update(plain), cipher.final()]));
      return { nonce, tag: Uint8Array.from(cipher.getAuthTag()), ciphertext };
    },
    async decrypt({ nonce, tag, ciphertext }) {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag);
      return Uint8Array.from(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
    },
  };
}
