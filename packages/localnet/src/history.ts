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

/** The transactions that landed, oldest first, the oldest forgotten when there are too many. */
export class History {
  readonly #bySignature = new Map<string, LandedTransaction>();
  readonly #capacity: number;
  #total: bigint;
  #firstCompleteSlot: bigint | null;

  /**
   * @param total how many transactions landed before
   * @param firstCompleteSlot the first slot of which no transaction was forgotten, null when none ever was
   */
  constructor(capacity: number, total = 0n, firstCompleteSlot: bigint | null = null) {
    this.#capacity = capacity;
    this.#total = total;
    this.#firstCompleteSlot = firstCompleteSlot;
  }

  /** How many transactions ever landed, the forgotten ones included. */
  get total(): bigint {
    return this.#total;
  }

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
   * @param mayReplay whether a transaction's blockhash still lets it land: such a one is kept beyond the capacity,
   * since forgetting it would let it be processed again
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

  /** Takes back a transaction that counts in `total` already. */
  restore(landed: LandedTransaction): void {
    this.#bySignature.set(landed.transaction.signature, landed);
  }
}
