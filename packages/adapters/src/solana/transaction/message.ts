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
  isTransactionWithinSizeLimit,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';

/** The compute units a transaction may use, and its bid for each. */
export interface ComputeBudget {
  readonly unitLimit: number;
  /** In micro-lamports. */
  readonly unitPrice: bigint;
}

/** A recent blockhash, and the last block height at which a transaction with it can land. */
export interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** A compiled transaction within the network's size limit, signed or not. */
export type CompiledTransaction = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime;

/** The lamports that the compute bid adds to the fee, rounded up. */
export function priorityFee({ unitLimit, unitPrice }: ComputeBudget): bigint {
  return (unitPrice * BigInt(unitLimit) + 999_999n) / 1_000_000n;
}

/** Compiles a version 0 transaction whose first two instructions set the compute limit and price. */
export function compile(
  feePayer: Address,
  instructions: readonly Instruction[],
  lifetime: Lifetime,
  compute: ComputeBudget,
): CompiledTransaction {
  const transaction = compileOfAnySize(feePayer, instructions, lifetime, compute);
  assertIsTransactionWithinSizeLimit(transaction);
  return transaction;
}

/** Compiles a transaction like `compile`, or returns null when it is larger than the network takes. */
export function compileIfSmall(...parts: Parameters<typeof compile>): CompiledTransaction | null {
  const transaction = compileOfAnySize(...parts);
  return isTransactionWithinSizeLimit(transaction) ? transaction : null;
}

function compileOfAnySize(
  feePayer: Address,
  instructions: readonly Instruction[],
  lifetime: Lifetime,
  compute: ComputeBudget,
): Transaction & TransactionWithLifetime {
  return compileTransaction(
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
}

/** A compiled message in base64, as `getFeeForMessage` takes it. */
export function messageBase64(transaction: Transaction): TransactionMessageBytesBase64 {
  return getBase64Decoder().decode(transaction.messageBytes) as TransactionMessageBytesBase64;
}
