import type { CryptoProvider } from '../ports/crypto.js';
import type { Random } from '../ports/random.js';
import type { SigningSecret } from '../records/index.js';
import { fromBase64, toBase64 } from './base64.js';

const PREFIX = 'whsec_';

/** A fresh signing secret as its owner is shown it once: `whsec_` and base64 of 24 random bytes (deliveries#secret-rotation-overlap). */
export function newSecret(random: Random): string {
  return PREFIX + toBase64(random.bytes(24));
}

/** The HMAC key of a secret: the part after `whsec_`, decoded. Null when the text is no such secret. */
export function secretKey(secret: string): Uint8Array | null {
  const key = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  return key === null || key.length === 0 ? null : key;
}

/** A secret as it is stored, without an end. */
export async function sealSecret(crypto: CryptoProvider, secret: string, createdAt: Date): Promise<SigningSecret> {
  return { sealed: await crypto.seal(new TextEncoder().encode(secret)), createdAt, expiresAt: null };
}

/** The key of a stored secret. Throws when it was sealed with another key than the Crypto port's, or was changed. */
export async function openSecret(crypto: CryptoProvider, { sealed }: SigningSecret): Promise<Uint8Array> {
  const key = secretKey(new TextDecoder().decode(await crypto.open(sealed)));
  if (key === null) throw new Error('A sealed text is not a signing secret.');
  return key;
}

/** The secrets that sign at an instant, newest first: one past its end signs nothing, a retry included (deliveries#secret-rotation-overlap, deliveries#secret-rotation-overlap). */
export function liveSecrets(secrets: readonly SigningSecret[], now: Date): readonly SigningSecret[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/**
 * The secrets after a regeneration: the new one first, the one before it until the overlap ends, and no third
 * (deliveries#secret-rotation-overlap). `overlapMs` 0 ends the one before at once.
 */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: SigningSecret,
  now: Date,
  overlapMs: number,
): readonly SigningSecret[] {
  const [previous] = liveSecrets(secrets, now);
  if (previous === undefined || overlapMs === 0) return [fresh];
  return [fresh, { ...previous, expiresAt: new Date(now.getTime() + overlapMs) }];
}
