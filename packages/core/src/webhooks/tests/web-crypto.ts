import type { CryptoProvider } from '../../ports/crypto.js';

/** The platform's own HMAC, so that what core signs is checked by node:crypto, another implementation. */
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
