import type { CryptoProvider } from '../../ports/crypto.js';

/** HMAC-SHA256 by the platform's WebCrypto, a global of Node, browsers, Workers, Deno and Bun. */
export const webCrypto: Pick<CryptoProvider, 'mac'> = {
  async mac(key, data) {
    const imported = await crypto.subtle.importKey(
      'raw',
      key.slice(),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data.slice()));
  },
};
