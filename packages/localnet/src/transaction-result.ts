import type { Processed } from './runtime/ledger.js';
import type { TransactionError } from './runtime/transaction-error.js';

/** The result of sending or simulating a transaction. */
export interface TransactionResult {
  readonly signature: string;
  /**
   * Whether it is on the chain and its fee is paid. False when rejected, only simulated, or failed in
   * preflight.
   */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly slot: bigint;
  /** The effects of the run; null for a transaction that was rejected before. */
  readonly processed: Processed | null;
}
