import type { CryptoProvider } from '@subrail/core/ports';
import { toHex } from '../../hex.js';
import { NONCE_BYTES, TAG_BYTES } from '../../sealed-text.js';
import { createSealing, type Cipher } from '../../sealing.js';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const CIPHER = 'AES-GCM';

/**
 * Creates the Crypto port on WebCrypto, which every platform with `fetch` has. Secrets are sealed with
 * AES-256-GCM under `sealingKey`, 32 bytes kept outside the store. Without the key sealed secrets are lost.
 * The `older` keys open what they sealed, so that the key can be rotated. `createCrypto` of Node opens what
 * this sealed under the same key, and the reverse.
 *
 * @throws TypeError when a key does not have 32 bytes; the message has nothing of the key
 * @example
 * const crypto = createWebCrypto(sealingKey);
 * const rotated = createWebCrypto(sealingKey, { older: [olderSealingKey] });
 */
export function createWebCrypto(
  sealingKey: Uint8Array,
  { older = [] }: { readonly older?: readonly Uint8Array[] } = {},
): CryptoProvider {
  const { subtle } = crypto;
  const mac = async (key: Uint8Array, data: Uint8Array) => {
    const content = copyOf(data);
    const imported = await subtle.importKey('raw', copyOf(key), HMAC, false, ['sign']);
    return new Uint8Array(await subtle.sign(HMAC, imported, content));
  };
  return {
    async digest(text) {
      return toHex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text))));
    },
    mac,
    ...createSealing(sealingKey, older, { mac, cipherOf }),
  };
}

function cipherOf(key: Uint8Array): Cipher {
  const { subtle } = crypto;
  // The key is copied, because the import ends after this function has returned.
  const imported = subtle.importKey('raw', copyOf(key), CIPHER, false, ['encrypt', 'decrypt']);
  // A platform without AES shows it at the first seal, not as an unhandled rejection.
  imported.catch(() => undefined);
  return {
    async encrypt(plain) {
      // A random nonce of 96 bits is safe for four billion seals under one key; each endpoint needs a few.
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = new Uint8Array(
        await subtle.encrypt({ name: CIPHER, iv: nonce }, await imported, copyOf(plain)),
      );
      // WebCrypto appends the tag to the ciphertext.
      const end = sealed.length - TAG_BYTES;
      return { nonce, tag: sealed.slice(end), ciphertext: sealed.slice(0, end) };
    },
    async decrypt({ nonce, tag, ciphertext }) {
      const joined = Uint8Array.from([...ciphertext, ...tag]);
      return new Uint8Array(await subtle.decrypt({ name: CIPHER, iv: nonce }, await imported, joined));
    },
  };
}

/** Copies, because WebCrypto takes no shared memory and reads while the caller goes on. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}
