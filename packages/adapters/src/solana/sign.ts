import {
  type Transaction,
  type TransactionPartialSigner,
  assertIsFullySignedTransaction,
  assertIsTransactionWithinSizeLimit,
  blockhash,
  getSignatureFromTransaction,
} from '@solana/kit';
import type { SignedTransaction } from '@subrail/core';
import type { Compiled } from './message.js';
import { decodeWire, wireOf } from './wire.js';

/** Has the charger sign transactions that then lack no signature; throws when one still does. */
export async function signAll(
  transactions: readonly Compiled[],
  lastValidBlockHeight: bigint,
  charger: TransactionPartialSigner,
): Promise<SignedTransaction[]> {
  const signatures = await charger.signTransactions(transactions);
  return transactions.map((transaction, index) => {
    const signed: Transaction = {
      ...transaction,
      signatures: { ...transaction.signatures, ...signatures[index] },
    };
    assertIsFullySignedTransaction(signed);
    return { signature: getSignatureFromTransaction(signed), wire: wireOf(signed), lastValidBlockHeight };
  });
}

/** Adds the charger's signature to a transaction the wallet signed; its signature stays the wallet's. */
export async function cosign(
  submitted: string,
  lastValidBlockHeight: bigint,
  charger: TransactionPartialSigner,
): Promise<SignedTransaction> {
  const decoded = decodeWire(submitted);
  if (decoded === null) throw new TypeError('Only an inspected transaction can be co-signed.');
  const { transaction } = decoded;
  assertIsTransactionWithinSizeLimit(transaction);
  const lifetimeConstraint = { blockhash: blockhash(decoded.message.lifetimeToken), lastValidBlockHeight };
  const [signed] = await signAll([{ ...transaction, lifetimeConstraint }], lastValidBlockHeight, charger);
  if (signed === undefined) throw new TypeError('The charger returned no signature.');
  return signed;
}
