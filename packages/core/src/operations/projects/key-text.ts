import type { CryptoProvider, Random } from '../../ports/index.js';
import { base62 } from '../../records/new-id.js';

const ENCODER = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A new API key (requests#api-key-format): `SUB_` and 43 base62 characters, more than 32 random bytes' worth. Shown once, never stored. */
export function newKeyText(random: Random): string {
  return `SUB_${base62(random, 43)}`;
}

/** Whether a text has the form of an API key. */
export function isKeyText(text: string): boolean {
  return /^SUB_[0-9A-Za-z]{43}$/.test(text);
}

/**
 * What is stored of a key and looked up by: its SHA-256 in lowercase hex. A key is too random to be guessed from it, and
 * looking a hash up gives no way to find a key letter by letter.
 */
export async function hashKeyText(crypto: CryptoProvider, text: string): Promise<string> {
  const digest = await crypto.digest(ENCODER.encode(text));
  let hash = '';
  for (const byte of digest) hash += HEX[byte] ?? '';
  return hash;
}
