import type { Processed } from './runtime/ledger.js';
import type { TransactionError } from './runtime/transaction-error.js';

/** What became of a transaction. */
export interface TransactionResult {
  readonly signature: string;
  /** False when the chain keeps no trace of it: turned away at the door, or only simulated. */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly slot: bigint;
  /** What running it came to, or null when it was turned away before it ran. */
  readonly processed: Processed | null;
}
