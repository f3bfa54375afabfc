import type { Address } from '@solana/kit';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGIT_OF = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT_OF[ALPHABET.charCodeAt(digit)] = digit;

// Five digits at a time over 16-bit limbs keep every product below 2^53. Kit's big integers take twenty times
// as long, more than a transaction with its dozen addresses.
const FIVE_DIGITS = 58 ** 5;

/** The base58 text of any bytes, as Solana writes addresses, signatures and blockhashes. */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const limbs: number[] = [];
  for (let at = bytes.length - 1; at >= zeros; at -= 2) {
    limbs.push((bytes[at] ?? 0) | ((at - 1 >= zeros ? (bytes[at - 1] ?? 0) : 0) << 8));
  }
  let top = limbs.length;
  let text = '';
  while (top > 0) {
    let remainder = 0;
    for (let at = top - 1; at >= 0; at--) {
      const value = remainder * 65536 + (limbs[at] ?? 0);
      const quotient = Math.floor(value / FIVE_DIGITS);
      limbs[at] = quotient;
      remainder = value - quotient * FIVE_DIGITS;
    }
    while (top > 0 && limbs[top - 1] === 0) top--;
    for (let digit = 0; digit < 5 && (remainder > 0 || top > 0); digit++) {
      text = (ALPHABET[remainder % 58] ?? '') + text;
      remainder = Math.floor(remainder / 58);
    }
  }
  return '1'.repeat(zeros) + text;
}

/** The bytes of a base58 text, or null when it holds a character outside of the alphabet. */
export function decodeBase58(text: string): Uint8Array | null {
  let zeros = 0;
  while (zeros < text.length && text[zeros] === '1') zeros++;
  const limbs: number[] = [];
  for (let at = zeros; at < text.length;) {
    let group = 0;
    let scale = 1;
    for (let digits = 0; digits < 5 && at < text.length; digits++, at++) {
      const code = text.charCodeAt(at);
      const digit = code < 128 ? (DIGIT_OF[code] ?? -1) : -1;
      if (digit < 0) return null;
      group = group * 58 + digit;
      scale *= 58;
    }
    let carry = group;
    for (let limb = 0; limb < limbs.length; limb++) {
      const value = (limbs[limb] ?? 0) * scale + carry;
      carry = Math.floor(value / 65536);
      limbs[limb] = value - carry * 65536;
    }
    while (carry > 0) {
      limbs.push(carry % 65536);
      carry = Math.floor(carry / 65536);
    }
  }
  const top = limbs[limbs.length - 1] ?? 0;
  const length = limbs.length * 2 - (limbs.length > 0 && top < 256 ? 1 : 0);
  const bytes = new Uint8Array(zeros + length);
  for (let at = 0; at < length; at++) {
    const limb = limbs[at >> 1] ?? 0;
    bytes[bytes.length - 1 - at] = at % 2 === 0 ? limb & 255 : limb >> 8;
  }
  return bytes;
}

// An address is read from the wire once, and converted back into bytes a dozen times in its transaction.
const CACHE_LIMIT = 20_000;
const cache = new Map<Address, Uint8Array>();

function cacheBytes(address: Address, bytes: Uint8Array): void {
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(address, bytes);
}

export function toAddress(bytes: Uint8Array): Address {
  if (bytes.length !== 32) throw new Error(`An address has 32 bytes, not ${bytes.length}.`);
  const address = encodeBase58(bytes) as Address;
  if (!cache.has(address)) cacheBytes(address, bytes.slice());
  return address;
}

/** The 32 bytes of an address. The array is cached: do not write to it. */
export function addressBytes(address: Address): Uint8Array {
  const cached = cache.get(address);
  if (cached !== undefined) return cached;
  const bytes = decodeBase58(address);
  if (bytes?.length !== 32) throw new Error(`${address} is not an address: expected base58 of 32 bytes.`);
  cacheBytes(address, bytes);
  return bytes;
}
