import { forgetOldest } from '../../forget-oldest.js';

/** More than the blockhashes that can be in use at a time: one is valid for 150 blocks. */
const CAPACITY = 1_000;

/** Remembers until when the transactions that were built lately can land, by their blockhash. */
export class BuiltLifetimes {
  readonly #heights = new Map<string, bigint>();

  note(blockhash: string, lastValidBlockHeight: bigint): void {
    this.#heights.delete(blockhash);
    this.#heights.set(blockhash, lastValidBlockHeight);
    forgetOldest(this.#heights, CAPACITY);
  }

  /** Whether a blockhash is known to be older than another: a transaction with it was built earlier. */
  isEarlier(blockhash: string, than: string): boolean {
    const [one, other] = [this.#heights.get(blockhash), this.#heights.get(than)];
    return one !== undefined && other !== undefined && one < other;
  }
}
