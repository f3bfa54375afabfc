import type { CryptoProvider } from '../../ports/crypto.js';

/** HMAC-SHA256 by the WebCrypto of the platform, which Node, browsers, Workers, Deno and Bun have as a global. */
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
