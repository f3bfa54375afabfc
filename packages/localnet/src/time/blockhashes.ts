import { createHash } from 'node:crypto';
import { encodeBase58 } from '../runtime/base58.js';

/** A transaction may land in this many blocks after the one its blockhash names. */
export const BLOCKHASH_LIFETIME = 150n;

/**
 * The chain's blockhashes. Each is computed from the seed and its block's height, so a jump over a million blocks costs
 * nothing; only those that were handed out are known, since no other can be in a transaction.
 */
export class Blockhashes {
  /** What sets this chain apart from others. */
  readonly seed: Uint8Array;
  readonly #heights = new Map<string, bigint>();

  /** @param seed 32 bytes that set this chain apart from others */
  constructor(seed: Uint8Array) {
    this.seed = seed;
  }

  /** The hash that names this very chain. */
  get genesis(): string {
    return encodeBase58(createHash('sha256').update('genesis').update(this.seed).digest());
  }

  /** Hands out the hash of the block at a height. */
  at(height: bigint): string {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(height);
    const blockhash = encodeBase58(createHash('sha256').update(this.seed).update(number).digest());
    if (!this.#heights.has(blockhash)) {
      this.#forgetBefore(height - BLOCKHASH_LIFETIME);
      this.#heights.set(blockhash, height);
    }
    return blockhash;
  }

  /** The heights whose hashes were handed out, as far as they matter. */
  get heights(): bigint[] {
    return [...this.#heights.values()];
  }

  /** The last block height at which a transaction with this blockhash may land, or null when it was never handed out. */
  lastValidHeight(blockhash: string): bigint | null {
    const height = this.#heights.get(blockhash);
    return height === undefined ? null : height + BLOCKHASH_LIFETIME;
  }

  #forgetBefore(height: bigint): void {
    for (const [blockhash, known] of this.#heights) if (known < height) this.#heights.delete(blockhash);
  }
}
