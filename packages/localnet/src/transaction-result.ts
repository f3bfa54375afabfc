import type { Processed } from './runtime/ledger.js';
import type { TransactionError } from './runtime/transaction-error.js';

/** The result of sending or simulating a transaction. */
export interface TransactionResult {
  readonly signature: string;
  /**
   * Whether it is on the chain and its fee is paid, even if it failed there. False when it was rejected before it ran,
   * failed its preflight, or was only simulated.
   */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly slot: bigint;
  /** What running it did; null when it was rejected before it ran. */
  readonly processed: Processed | null;
}
