import { createRequire } from 'node:module';
import type * as LiteSvmBinding from 'litesvm/dist/internal.js';
import { readNativeError } from './native-error.js';
import type { Transaction } from './transaction.js';
import type { TransactionError } from './transaction-error.js';

const binding = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof LiteSvmBinding;

// An empty chain that checks signatures and then finds no fee payer. It checks them as Solana does, to the bit, and in a third
// of the time that Node's own crypto takes for keys it has not seen.
const verifier = binding.LiteSvm.default();
verifier.setSysvars();
verifier.setSigverify(true);
verifier.setBlockhashCheck(false);
verifier.setTransactionHistory(0n);

const ALL_RIGHT = 'AccountNotFound';

/** Why a transaction is turned away before the chain is asked: `SignatureFailure`, or a form no chain takes. Null when all is right. */
export function signatureError(transaction: Transaction): TransactionError | null {
  const result = verifier.simulateVersionedTransaction(transaction.wire);
  if (!(result instanceof binding.FailedTransactionMetadata)) {
    throw new Error('A chain without accounts ran a transaction.');
  }
  const error = readNativeError(result.err());
  return error === ALL_RIGHT ? null : error;
}
