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

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#bySignature.size;
  }

  find(signature: string): LandedTransaction | undefined {
    return this.#bySignature.get(signature);
  }

  all(): Iterable<LandedTransaction> {
    return this.#bySignature.values();
  }

  /**
   * @param mayReplay whether a transaction's blockhash still lets it land: such a one is kept beyond the capacity,
   * since forgetting it would let it be processed again
   */
  add(landed: LandedTransaction, mayReplay: (landed: LandedTransaction) => boolean): void {
    this.#bySignature.set(landed.transaction.signature, landed);
    for (const [signature, oldest] of this.#bySignature) {
      if (this.#bySignature.size <= this.#capacity || mayReplay(oldest)) break;
      this.#bySignature.delete(signature);
    }
  }
}
