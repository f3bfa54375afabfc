import type { Random } from '../ports/random.js';

/**
 * A `Random` for tests and simulations: the same seed gives the same bytes on every machine. Its bytes can be
 * predicted, so never use it for real ids or secrets.
 *
 * @example
 * const random = new SeededRandom(1);
 */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#next() >>> 24);
  }

  /** Mulberry32, a small generator with 32 bits of state. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
