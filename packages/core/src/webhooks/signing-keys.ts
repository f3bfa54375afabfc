import type { CryptoProvider } from '../ports/crypto.js';
import type { Endpoint } from '../records/index.js';
import { liveSecrets } from '../rules/signing-secrets.js';
import { openSecret } from './signing.js';

/** The keys that sign an endpoint's deliveries. */
export interface SigningKeys {
  /** Newest first. */
  readonly opened: readonly Uint8Array[];
  /** How many live secrets do not open with the sealing key. */
  readonly closed: number;
}

/** Decrypts the keys that sign an endpoint's deliveries at `now`. */
export async function signingKeys(
  crypto: CryptoProvider,
  endpoint: Endpoint,
  now: Date,
): Promise<SigningKeys> {
  const keys = await Promise.all(
    liveSecrets(endpoint.secrets, now).map((secret) => openSecret(crypto, secret).catch(() => null)),
  );
  const opened = keys.filter((key) => key !== null);
  return { opened, closed: keys.length - opened.length };
}
