import { litesvm } from './litesvm.js';
import type { Transaction } from './transaction.js';
import { readNativeError, type TransactionError } from './transaction-error.js';

// A chain without accounts checks signatures as Solana does, three times as fast as Node's crypto, and then
// finds no fee payer.
const verifier = litesvm.LiteSvm.default();
verifier.setSysvars();
verifier.setSigverify(true);
verifier.setBlockhashCheck(false);
verifier.setTransactionHistory(0n);

/** The verifier's error for a transaction whose signatures are valid. */
const SIGNATURES_VALID = 'AccountNotFound';

/**
 * Why a transaction is rejected whatever the chain's state: `SignatureFailure`, or an invalid form; or null.
 */
export function signatureError(transaction: Transaction): TransactionError | null {
  const result = verifier.simulateVersionedTransaction(transaction.wire);
  if (!(result instanceof litesvm.FailedTransactionMetadata)) {
    throw new Error('The signature verifier, a chain without accounts, ran a transaction.');
  }
  const error = readNativeError(result.err());
  return error === SIGNATURES_VALID ? null : error;
}
