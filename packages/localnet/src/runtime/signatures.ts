import { litesvm } from './litesvm.js';
import type { Transaction } from './transaction.js';
import { readNativeError, type TransactionError } from './transaction-error.js';

// A chain without accounts. It checks signatures exactly as Solana does, and then finds no fee payer. For keys that are
// not cached it takes a third of the time of Node's own crypto.
const verifier = litesvm.LiteSvm.default();
verifier.setSysvars();
verifier.setSigverify(true);
verifier.setBlockhashCheck(false);
verifier.setTransactionHistory(0n);

/** The verifier's error for a transaction whose signatures are valid. */
const SIGNATURES_VALID = 'AccountNotFound';

/**
 * Why a transaction is rejected before the chain's state matters: `SignatureFailure`, or an invalid form. Null when it
 * is valid.
 */
export function signatureError(transaction: Transaction): TransactionError | null {
  const result = verifier.simulateVersionedTransaction(transaction.wire);
  if (!(result instanceof litesvm.FailedTransactionMetadata)) {
    throw new Error('The signature verifier, a chain without accounts, ran a transaction.');
  }
  const error = readNativeError(result.err());
  return error === SIGNATURES_VALID ? null : error;
}
