import { createHash } from 'node:crypto';
import { encodeBase58 } from '../runtime/base58.js';

/** A blockhash is valid in its own block and in this many blocks after it. */
export const BLOCKHASH_LIFETIME = 150n;

/**
 * The chain's blockhashes, each computed from the seed and the height alone: a jump over a million blocks
 * costs nothing, and a restored chain knows blockhashes that were issued after its save.
 */
export class Blockhashes {
  /** The heights of the blockhashes that are valid, computed up to `#computedTo`. */
  readonly #heights = new Map<string, bigint>();
  #computedTo = -1n;

  /** @param seed 32 bytes that distinguish this chain from others */
  constructor(readonly seed: Uint8Array) {}

  /** The genesis hash, which names this chain. */
  get genesis(): string {
    return encodeBase58(createHash('sha256').update('genesis').update(this.seed).digest());
  }

  /** The hash of the block at a height. */
  at(height: bigint): string {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(height);
    return encodeBase58(createHash('sha256').update(this.seed).update(number).digest());
  }

  /** Whether a blockhash may land in the block of a height: its own or one of the 150 after it. */
  mayLand(blockhash: string, height: bigint): boolean {
    const oldest = height > BLOCKHASH_LIFETIME ? height - BLOCKHASH_LIFETIME : 0n;
    if (height > this.#computedTo) this.#computeTo(height, oldest);
    return this.#heights.has(blockhash);
  }

  #computeTo(height: bigint, oldest: bigint): void {
    // The map has the lowest heights first.
    for (const [blockhash, blockHeight] of this.#heights) {
      if (blockHeight >= oldest) break;
      this.#heights.delete(blockhash);
    }
    const first = this.#computedTo + 1n;
    for (let next = first > oldest ? first : oldest; next <= height; next++)
      this.#heights.set(this.at(next), next);
    this.#computedTo = height;
  }
}
