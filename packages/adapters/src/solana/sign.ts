import {
  type Transaction,
  type TransactionPartialSigner,
  assertIsFullySignedTransaction,
  assertIsTransactionWithinSizeLimit,
  blockhash,
  getSignatureFromTransaction,
} from '@solana/kit';
import type { SignedTransaction } from '@subrail/core/ports';
import type { Compiled } from './message.js';
import { isSignedBy } from './verify.js';
import { decodeWire, wireOf } from './wire.js';

/**
 * Has the charger sign transactions that then lack no signature. Throws when one still does, or when the charger's is
 * wrong: such a transaction would be lost without a word.
 */
export async function signAll(
  transactions: readonly Compiled[],
  lastValidBlockHeight: bigint,
  charger: TransactionPartialSigner,
): Promise<SignedTransaction[]> {
  const signatures = await charger.signTransactions(transactions);
  return Promise.all(
    transactions.map(async (transaction, index) => {
      const signed: Transaction = {
        ...transaction,
        signatures: {
          ...transaction.signatures,
          [charger.address]: signatures[index]?.[charger.address] ?? null,
        },
      };
      assertIsFullySignedTransaction(signed);
      if (!(await isSignedBy(charger.address, signed))) {
        throw new TypeError(`The signer of ${charger.address} returned a wrong signature.`);
      }
      return { signature: getSignatureFromTransaction(signed), wire: wireOf(signed), lastValidBlockHeight };
    }),
  );
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
