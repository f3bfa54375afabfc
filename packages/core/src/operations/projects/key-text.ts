import type { CryptoProvider, Random } from '../../ports/index.js';
import { base62 } from '../../records/new-id.js';

const ENCODER = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Makes an API key: `SUB_` and 43 base62 characters, which hold 256 random bits. It is shown once and never stored. */
export function newKeyText(random: Random): string {
  return `SUB_${base62(random, 43)}`;
}

/** Whether a text has the form of an API key. */
export function isKeyText(text: string): boolean {
  return /^SUB_[0-9A-Za-z]{43}$/.test(text);
}

/**
 * The hash by which a key is stored and found: its SHA-256 in lowercase hex. A key is too random to be guessed from its
 * hash, and a look-up by hash does not leak a key letter by letter through its timing.
 */
export async function hashKeyText(crypto: CryptoProvider, text: string): Promise<string> {
  const digest = await crypto.digest(ENCODER.encode(text));
  let hash = '';
  for (const byte of digest) hash += HEX[byte] ?? '';
  return hash;
}
