import type { Random } from '../ports/random.js';
import type { IdOf } from './ids.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Draws `length` base62 characters, each equally likely: bytes of 248 (4 x 62) and more are discarded. */
export function base62(random: Random, length: number): string {
  const codes: number[] = [];
  while (codes.length < length) {
    for (const byte of random.bytes(length - codes.length + 8)) {
      if (byte < 248 && codes.length < length) codes.push(BASE62.charCodeAt(byte % 62));
    }
  }
  return String.fromCharCode(...codes);
}

/** Draws a new id: the kind's prefix, an underscore and 24 base62 characters. */
export function newId<Kind extends keyof IdOf>(random: Random, kind: Kind): IdOf[Kind] {
  return `${kind}_${base62(random, 24)}` as unknown as IdOf[Kind];
}
