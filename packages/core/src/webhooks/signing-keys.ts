import type { CryptoProvider } from '../ports/crypto.js';
import type { Endpoint } from '../records/index.js';
import { liveSecrets } from '../rules/signing-secrets.js';
import { openSecret } from './signing.js';

/** Decrypts the keys that sign an endpoint's deliveries at `now`, newest first. Throws when one cannot be decrypted. */
export function signingKeys(
  crypto: CryptoProvider,
  endpoint: Endpoint,
  now: Date,
): Promise<readonly Uint8Array[]> {
  return Promise.all(liveSecrets(endpoint.secrets, now).map((secret) => openSecret(crypto, secret)));
}
