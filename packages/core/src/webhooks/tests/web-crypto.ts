import type { CryptoProvider } from '../../ports/crypto.js';

/** HMAC by WebCrypto, so that tests can compare core's signatures with those of node:crypto. */
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
