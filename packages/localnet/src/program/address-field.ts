import type { Buffer } from 'node:buffer';
import type { Address } from '@solana/kit';
import { addressBytes, toAddress } from '../runtime/base58.js';

// An instruction reads the same few addresses many times, and encoding one in base58 costs more than the rest of the
// instruction.
const CACHE_LIMIT = 50_000;
const cache = new Map<string, Address>();

/** The 32 bytes at `offset` as an address. */
export function readAddress(bytes: Buffer, offset: number): Address {
  const text = bytes.toString('latin1', offset, offset + 32);
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const address = toAddress(bytes.subarray(offset, offset + 32));
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, address);
  return address;
}

/** Writes the 32 bytes of an address at `offset`. */
export function writeAddress(bytes: Buffer, offset: number, address: Address): void {
  bytes.set(addressBytes(address), offset);
}
