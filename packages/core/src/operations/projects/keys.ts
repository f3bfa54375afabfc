import type { CryptoProvider, Random } from '../../ports/index.js';
import type { ApiKey } from '../../records/index.js';
import { base62 } from '../../records/new-id.js';

/** Whether the overlap of a key that was replaced is over. */
export function isExpired({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** How the key of a project begins. */
export const API_KEY = 'SUB_';
/** How a management key begins. No key of one kind has the form of the other. */
export const MANAGEMENT_KEY = 'SUBM_';
/** How a key of either kind begins. */
export type KeyPrefix = typeof API_KEY | typeof MANAGEMENT_KEY;

/** Makes a key: its prefix and 43 base62 characters, which hold 256 random bits. It is shown once and never stored. */
export function newKeyText(random: Random, prefix: KeyPrefix): string {
  return prefix + base62(random, 43);
}

/** Whether a text has the form of a key with this prefix. */
export function isKeyText(text: string, prefix: KeyPrefix): boolean {
  return text.startsWith(prefix) && /^[0-9A-Za-z]{43}$/.test(text.slice(prefix.length));
}

/**
 * The hash by which a key is stored and found: its SHA-256 in lowercase hex. A key is too random to be guessed from its
 * hash, and a look-up by hash does not leak a key letter by letter through its timing.
 */
export function hashKeyText(crypto: CryptoProvider, text: string): Promise<string> {
  return crypto.digest(text);
}
