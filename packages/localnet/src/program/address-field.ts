import type { Buffer } from 'node:buffer';
import type { Address } from '@solana/kit';
import { addressBytes, toAddress } from '../runtime/base58.js';

// One instruction reads the same few addresses again and again, and writing one in base58 costs more than all else it does.
const REMEMBERED = 50_000;
const known = new Map<string, Address>();

/** The 32 bytes at `offset` as an address. */
export function readAddress(bytes: Buffer, offset: number): Address {
  const text = bytes.toString('latin1', offset, offset + 32);
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const address = toAddress(bytes.subarray(offset, offset + 32));
  if (known.size >= REMEMBERED) known.clear();
  known.set(text, address);
  return address;
}

/** Writes the 32 bytes of an address at `offset`. */
export function writeAddress(bytes: Buffer, offset: number, address: Address): void {
  bytes.set(addressBytes(address), offset);
}
