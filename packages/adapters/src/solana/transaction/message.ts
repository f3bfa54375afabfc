import {
  type Address,
  type Blockhash,
  type Instruction,
  type Transaction,
  type TransactionMessageBytesBase64,
  type TransactionWithLifetime,
  type TransactionWithinSizeLimit,
  appendTransactionMessageInstructions,
  assertIsTransactionWithinSizeLimit,
  compileTransaction,
  createTransactionMessage,
  getBase64Decoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';

/** What a transaction may compute and what it bids for each unit. */
export interface ComputeBudget {
  readonly unitLimit: number;
  /** In micro-lamports. */
  readonly unitPrice: bigint;
}

/** What makes a transaction of today: it can land until the height passes. */
export interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** A transaction small enough for the network, before or after signing. */
export type CompiledTransaction = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime;

/** Lamports the compute bid adds to the fee (program#first-payment-transaction). */
export function priorityFee({ unitLimit, unitPrice }: ComputeBudget): bigint {
  return (unitPrice * BigInt(unitLimit) + 999_999n) / 1_000_000n;
}

/** Compiles a version 0 transaction that opens with its compute limit and price, paid for by `feePayer`. */
export function compile(
  feePayer: Address,
  instructions: readonly Instruction[],
  lifetime: Lifetime,
  compute: ComputeBudget,
): CompiledTransaction {
  const transaction = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) =>
        appendTransactionMessageInstructions(
          [
            getSetComputeUnitLimitInstruction({ units: compute.unitLimit }),
            getSetComputeUnitPriceInstruction({ microLamports: compute.unitPrice }),
            ...instructions,
          ],
          message,
        ),
    ),
  );
  assertIsTransactionWithinSizeLimit(transaction);
  return transaction;
}

/** A compiled message in base64, as its fee is asked for. */
export function messageBase64(transaction: Transaction): TransactionMessageBytesBase64 {
  return getBase64Decoder().decode(transaction.messageBytes) as TransactionMessageBytesBase64;
}
