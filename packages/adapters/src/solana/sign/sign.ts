import {
  type Address,
  type ReadonlyUint8Array,
  type SignatureBytes,
  type Transaction,
  type TransactionPartialSigner,
  assertIsFullySignedTransaction,
  assertIsTransactionWithinSizeLimit,
  blockhash,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  verifySignature,
} from '@solana/kit';
import type { SignedTransaction } from '@subrail/core/ports';
import type { CompiledTransaction } from '../transaction/message.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';

/**
 * Signs transactions that lack only the charger's signature. Throws for a wrong or another missing one: the
 * chain would drop the transaction without an error.
 */
export async function signAll(
  transactions: readonly CompiledTransaction[],
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
        throw new TypeError(
          `The signer of ${charger.address} returned a wrong signature. Check that it signs with the key of this address.`,
        );
      }
      return {
        signature: getSignatureFromTransaction(signed),
        wire: encodeWire(signed),
        lastValidBlockHeight,
      };
    }),
  );
}

/** Adds the charger's signature to a signed transaction, which the wallet's signature still identifies. */
export async function cosign(
  submitted: string,
  lastValidBlockHeight: bigint,
  charger: TransactionPartialSigner,
): Promise<SignedTransaction> {
  const decoded = decodeWire(submitted);
  if (decoded === null)
    throw new TypeError(
      'The submitted text is not a version 0 transaction. Inspect a transaction before you co-sign it.',
    );
  const { transaction } = decoded;
  assertIsTransactionWithinSizeLimit(transaction);
  const lifetimeConstraint = { blockhash: blockhash(decoded.message.lifetimeToken), lastValidBlockHeight };
  const [signed] = await signAll([{ ...transaction, lifetimeConstraint }], lastValidBlockHeight, charger);
  if (signed === undefined)
    throw new TypeError(
      'The charger returned no signature: its signTransactions must return one entry for each transaction.',
    );
  return signed;
}

/** Whether a transaction has a valid signature of this address. */
export async function isSignedBy(
  signer: Address,
  { messageBytes, signatures }: Transaction,
): Promise<boolean> {
  const signature = signatures[signer];
  return !!signature && isSignature(signer, signature, messageBytes);
}

/** Whether a signature is valid for an address and these bytes. */
export async function isSignature(
  signer: Address,
  signature: SignatureBytes,
  bytes: ReadonlyUint8Array,
): Promise<boolean> {
  try {
    return await verifySignature(await getPublicKeyFromAddress(signer), signature, bytes);
  } catch {
    // An address that is not an Ed25519 key cannot sign.
    return false;
  }
}
