import { createHash } from 'node:crypto';
import { encodeBase58 } from '../runtime/base58.js';

/** A transaction may land in this many blocks after the one its blockhash names. */
export const BLOCKHASH_LIFETIME = 150n;

/**
 * The chain's blockhashes. Each follows from the seed and its block's height alone, so a jump over a million blocks costs
 * nothing, and a restored chain knows those it handed out after it was saved.
 */
export class Blockhashes {
  /** What sets this chain apart from others. */
  readonly seed: Uint8Array;
  /** The heights of the hashes a transaction may name now, computed up to the height last asked about. */
  readonly #heights = new Map<string, bigint>();
  #computedTo = -1n;

  /** @param seed 32 bytes that set this chain apart from others */
  constructor(seed: Uint8Array) {
    this.seed = seed;
  }

  /** The hash that names this very chain. */
  get genesis(): string {
    return encodeBase58(createHash('sha256').update('genesis').update(this.seed).digest());
  }

  /** The hash of the block at a height. */
  at(height: bigint): string {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(height);
    return encodeBase58(createHash('sha256').update(this.seed).update(number).digest());
  }

  /**
   * Whether a transaction that names this hash may land in the block of a height: the hash is that block's own or of one
   * of the 150 before it.
   * @param height never lower than one asked about before
   */
  mayLand(blockhash: string, height: bigint): boolean {
    const oldest = height > BLOCKHASH_LIFETIME ? height - BLOCKHASH_LIFETIME : 0n;
    if (height > this.#computedTo) this.#computeTo(height, oldest);
    return this.#heights.has(blockhash);
  }

  #computeTo(height: bigint, oldest: bigint): void {
    for (const [known, of] of this.#heights) if (of < oldest) this.#heights.delete(known);
    const first = this.#computedTo + 1n;
    for (let next = first > oldest ? first : oldest; next <= height; next++)
      this.#heights.set(this.at(next), next);
    this.#computedTo = height;
  }
}
