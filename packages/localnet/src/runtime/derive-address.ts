import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { addressBytes, toAddress } from './base58.js';
import { isOnCurve } from './curve.js';

/** A program derived address (PDA) and its bump, the last seed, with which the address is off the curve. */
export interface DerivedAddress {
  readonly address: Address;
  readonly bump: number;
}

type Seeds = readonly Uint8Array[];

const MARKER = Buffer.from('ProgramDerivedAddress');
const MAX_SEEDS = 16;
const MAX_SEED_LENGTH = 32;

// A bump costs a curve check, and the same few addresses are derived all the time.
const CACHE_LIMIT = 50_000;
const found = new Map<string, DerivedAddress>();

/** The PDA of a program for seeds with their bump; null on the curve, and beyond 16 seeds of 32 bytes. */
export function createProgramAddress(programAddress: Address, seeds: Seeds): Address | null {
  if (!seedsAllowed(seeds)) return null;
  const digest = hashSeeds(addressBytes(programAddress), seeds);
  return isOnCurve(digest) ? null : toAddress(digest);
}

/**
 * The PDA of a program for these seeds and the first bump, from 255 downwards, that is off the curve.
 * @throws {Error} for more than 15 seeds of 32 bytes
 */
export function findProgramAddress(programAddress: Address, seeds: Seeds): DerivedAddress {
  const key = cacheKey(programAddress, seeds);
  const known = found.get(key);
  if (known !== undefined) return known;
  const derived = searchBump(programAddress, seeds);
  if (found.size >= CACHE_LIMIT) found.clear();
  found.set(key, derived);
  return derived;
}

function searchBump(programAddress: Address, seeds: Seeds): DerivedAddress {
  const program = addressBytes(programAddress);
  for (let bump = 255; bump >= 0; bump--) {
    const withBump = [...seeds, Uint8Array.of(bump)];
    if (!seedsAllowed(withBump)) break;
    const digest = hashSeeds(program, withBump);
    if (!isOnCurve(digest)) return { address: toAddress(digest), bump };
  }
  throw new Error(
    `No address of program ${programAddress} can be derived from these ${seeds.length} seeds: at most 15 of 32 bytes are allowed.`,
  );
}

function seedsAllowed(seeds: Seeds): boolean {
  return seeds.length <= MAX_SEEDS && seeds.every((seed) => seed.length <= MAX_SEED_LENGTH);
}

function hashSeeds(program: Uint8Array, seeds: Seeds): Uint8Array {
  const hash = createHash('sha256');
  for (const seed of seeds) hash.update(seed);
  return hash.update(program).update(MARKER).digest();
}

// Seed lengths are part of the key, so that different seeds never share a key.
function cacheKey(programAddress: Address, seeds: Seeds): string {
  let key: string = programAddress;
  for (const seed of seeds) {
    key +=
      String.fromCharCode(seed.length) +
      Buffer.from(seed.buffer, seed.byteOffset, seed.length).toString('latin1');
  }
  return key;
}
