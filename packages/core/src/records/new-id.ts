import type { Random } from '../ports/random.js';
import type { IdOf } from './ids.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` base62 characters, each equally likely: bytes past the last whole multiple of 62 are drawn again. */
export function base62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length + 8)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/** A fresh id: the kind's prefix and 24 base62 characters (requests#identifiers). */
export function newId<Kind extends keyof IdOf>(random: Random, kind: Kind): IdOf[Kind] {
  return `${kind}_${base62(random, 24)}` as unknown as IdOf[Kind];
}
