import type { CryptoProvider, Random } from '../../ports/index.js';
import type { ApiKey } from '../../records/index.js';
import { base62 } from '../../records/new-id.js';

/** Whether the overlap of a replaced key is over. */
export function isExpired({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The prefix of the keys of projects. */
export const API_KEY = 'SUB_';
/** The prefix of management keys. No key has the form of both kinds. */
export const MANAGEMENT_KEY = 'SUBM_';
/** The prefix of the secrets of sessions. */
export const SESSION_SECRET = 'chs_';
export type KeyPrefix = typeof API_KEY | typeof MANAGEMENT_KEY | typeof SESSION_SECRET;

/** Makes a key: its prefix and 43 base62 characters, which hold 256 random bits. Keys are never stored. */
export function newKeyText(random: Random, prefix: KeyPrefix): string {
  return prefix + base62(random, 43);
}

export function isKeyText(text: string, prefix: KeyPrefix): boolean {
  return text.startsWith(prefix) && /^[0-9A-Za-z]{43}$/.test(text.slice(prefix.length));
}

/**
 * The SHA-256 of a key in lowercase hex, by which it is stored and looked up. A key is too random to be
 * guessed from its hash, and a look-up by hash leaks nothing through its timing.
 */
export function hashKeyText(crypto: CryptoProvider, text: string): Promise<string> {
  return crypto.digest(text);
}
