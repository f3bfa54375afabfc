import type { Processed } from './runtime/ledger.js';
import type { Transaction } from './runtime/transaction.js';

/** A transaction that landed, and what it did. */
export interface LandedTransaction {
  readonly transaction: Transaction;
  readonly processed: Processed;
  readonly slot: bigint;
  /** Seconds since the Unix epoch. */
  readonly blockTime: bigint;
}

/** The transactions that landed, oldest first. Beyond its capacity the history drops the oldest. */
export class History {
  readonly #bySignature = new Map<string, LandedTransaction>();
  readonly #capacity: number;
  #total: bigint;
  #firstCompleteSlot: bigint | null;

  /**
   * @param total how many transactions have landed so far
   * @param firstCompleteSlot the first slot whose transactions are all kept; null while none was ever dropped
   */
  constructor(capacity: number, total = 0n, firstCompleteSlot: bigint | null = null) {
    this.#capacity = capacity;
    this.#total = total;
    this.#firstCompleteSlot = firstCompleteSlot;
  }

  /** The number of all landed transactions, also dropped ones. */
  get total(): bigint {
    return this.#total;
  }

  /** The first slot whose transactions are all kept; null while none was ever dropped. */
  get firstCompleteSlot(): bigint | null {
    return this.#firstCompleteSlot;
  }

  find(signature: string): LandedTransaction | undefined {
    return this.#bySignature.get(signature);
  }

  oldestFirst(): Iterable<LandedTransaction> {
    return this.#bySignature.values();
  }

  newestFirst(): LandedTransaction[] {
    return [...this.#bySignature.values()].reverse();
  }

  /**
   * Adds a transaction and drops the oldest beyond the capacity, except those that may be replayed: the
   * history alone shows a repetition.
   */
  add(landed: LandedTransaction, mayReplay: (landed: LandedTransaction) => boolean): void {
    this.#bySignature.set(landed.transaction.signature, landed);
    this.#total += 1n;
    for (const [signature, oldest] of this.#bySignature) {
      if (this.#bySignature.size <= this.#capacity || mayReplay(oldest)) break;
      this.#bySignature.delete(signature);
      this.#firstCompleteSlot = oldest.slot + 1n;
    }
  }

  /** Adds a transaction of a restored chain, which `total` counts already. */
  restore(landed: LandedTransaction): void {
    this.#bySignature.set(landed.transaction.signature, landed);
  }
}
