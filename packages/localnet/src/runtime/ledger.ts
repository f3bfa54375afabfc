import type { Address } from '@solana/kit';
import { AccountStore } from './account-store.js';
import { SYSTEM_PROGRAM } from './addresses.js';
import { balancesOf, type Balances } from './balances.js';
import { readComputeBudget, transactionFee, type ComputeBudget } from './compute-budget.js';
import { Execution, type Machine } from './execution.js';
import { runInstructions } from './run-instructions.js';
import { FEE_PAYER, type InnerInstruction, type NativeRuntime, type ReturnData } from './native-runtime.js';
import { programAccounts } from './typescript-programs.js';
import type { AccountState, Program, RuntimeClock, RuntimeInstruction } from './program.js';
import { isRentExempt, rentViolation } from './rent.js';
import type { Transaction } from './transaction.js';
import type { TransactionError } from './transaction-error.js';

/** The result of running a transaction. */
export interface Processed {
  /** False when it was rejected before its fee was taken: such a transaction leaves no trace on the chain. */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  /** Lamports taken from the fee payer, or that would have been taken if it had landed. */
  readonly fee: bigint;
  readonly logs: readonly string[];
  readonly unitsUsed: bigint;
  /** Inner instructions by the index of the top-level instruction. */
  readonly innerInstructions: ReadonlyMap<number, readonly InnerInstruction[]>;
  readonly returnData: ReturnData | null;
  readonly before: Balances;
  readonly after: Balances;
}

/** The limits of `runPrivileged`: all the units that a transaction may use, and the default heap. */
const PRIVILEGED_LIMITS = { units: 1_400_000n, heapSize: 32 * 1024 };

const NO_BALANCES: Balances = { lamports: [], tokens: [] };

/**
 * Runs transactions one at a time. Each is atomic: all its writes are kept, or only its fee
 * (program#atomicity).
 */
export class Ledger {
  readonly store: AccountStore;
  readonly #machine: Machine;

  constructor(native: NativeRuntime, programs: ReadonlyMap<Address, Program>, lamportsPerByte: bigint) {
    this.store = new AccountStore(native, programAccounts(programs.keys(), lamportsPerByte));
    this.#machine = { native, store: this.store, programs, lamportsPerByte };
  }

  /**
   * Runs a transaction, until `keep` or `undo`. The caller has checked signatures, blockhash and repetition.
   */
  process(transaction: Transaction, clock: RuntimeClock): Processed {
    this.store.begin();
    try {
      const result = readComputeBudget(transaction.instructions);
      if (!result.ok) return rejected(result.error, 0n);
      const fee = transactionFee(transaction, result.budget);
      const rejection = this.#rejection(transaction, fee);
      return rejection === null
        ? this.#run(transaction, clock, result.budget, fee)
        : rejected(rejection, fee);
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** Keeps the writes of the last `process`, and returns the addresses they touched. */
  keep(): readonly Address[] {
    return this.store.commit();
  }

  /** Undoes the writes of the last `process`. */
  undo(): void {
    this.store.rollback();
    this.store.commit();
  }

  /** Runs several writes from outside of any transaction as one step: when `write` throws, none is kept. */
  atomically<Result>(write: () => Result): Result {
    this.store.begin();
    try {
      const result = write();
      this.keep();
      return result;
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /**
   * Runs instructions on LiteSVM without a transaction, signatures or fee. Writes are kept only if all
   * succeed.
   */
  runPrivileged(instructions: readonly RuntimeInstruction[]): TransactionError | null {
    const metas = instructions.flatMap(({ accounts }) => accounts);
    const written = metas
      .filter((meta) => meta.isWritable && meta.address !== FEE_PAYER)
      .map((meta) => meta.address);
    this.store.beforeNative(written);
    const { error } = this.#machine.native.runInstructions(instructions, PRIVILEGED_LIMITS);
    if (error === null) this.store.afterNative(written);
    return error;
  }

  #run(transaction: Transaction, clock: RuntimeClock, budget: ComputeBudget, fee: bigint): Processed {
    const addresses = transaction.accounts.map((meta) => meta.address);
    const before = balancesOf(addresses, this.store);
    const writable = transaction.accounts.map((meta) =>
      meta.isWritable ? this.store.read(meta.address) : null,
    );
    const execution = new Execution(this.#machine, transaction, clock, budget, (): void =>
      this.#takeFee(transaction, fee),
    );
    const error =
      this.#missingProgram(transaction) ??
      runInstructions(execution) ??
      this.#rentError(transaction, writable);
    if (error !== null) {
      this.store.rollback();
      this.#takeFee(transaction, fee);
    }
    return {
      landed: true,
      error,
      fee,
      logs: execution.log.lines,
      unitsUsed: execution.unitsUsed,
      innerInstructions: execution.inner,
      returnData: execution.returnData,
      before,
      after: balancesOf(addresses, this.store),
    };
  }

  /**
   * Why a transaction cannot pay its fee and does not land, in the order of program#transaction-admission; or
   * null.
   */
  #rejection(transaction: Transaction, fee: bigint): TransactionError | null {
    const addresses = new Set(transaction.accounts.map((meta) => meta.address));
    if (addresses.size !== transaction.accounts.length) return 'AccountLoadedTwice';
    const payer = this.store.read(feePayer(transaction));
    if (payer.lamports === 0n) return 'AccountNotFound';
    if (payer.owner !== SYSTEM_PROGRAM || payer.data.length > 0) return 'InvalidAccountForFee';
    if (payer.lamports < fee) return 'InsufficientFundsForFee';
    const left = payer.lamports - fee;
    const { lamportsPerByte } = this.#machine;
    if (
      left > 0n &&
      isRentExempt(payer, lamportsPerByte) &&
      !isRentExempt({ ...payer, lamports: left }, lamportsPerByte)
    ) {
      return { InsufficientFundsForRent: { account_index: 0 } };
    }
    return null;
  }

  #missingProgram(transaction: Transaction): TransactionError | null {
    for (const { programAddress } of transaction.instructions) {
      if (this.#machine.programs.has(programAddress)) continue;
      const program = this.store.find(programAddress);
      if (program === undefined) return 'ProgramAccountNotFound';
      if (!program.executable) return 'InvalidProgramForExecution';
    }
    return null;
  }

  #rentError(transaction: Transaction, before: readonly (AccountState | null)[]): TransactionError | null {
    for (const [index, meta] of transaction.accounts.entries()) {
      const state = before[index];
      if (state === null || state === undefined) continue;
      const after = this.store.read(meta.address);
      if (rentViolation(meta.address, state, after, this.#machine.lamportsPerByte)) {
        return { InsufficientFundsForRent: { account_index: index } };
      }
    }
    return null;
  }

  #takeFee(transaction: Transaction, fee: bigint): void {
    const address = feePayer(transaction);
    const payer = this.store.read(address);
    this.store.write(address, { ...payer, lamports: payer.lamports - fee });
  }
}

function feePayer(transaction: Transaction): Address {
  const payer = transaction.accounts[0];
  if (payer === undefined) throw new Error('A decoded transaction must have a fee payer.');
  return payer.address;
}

function rejected(error: TransactionError, fee: bigint): Processed {
  return {
    landed: false,
    error,
    fee,
    logs: [],
    unitsUsed: 0n,
    innerInstructions: new Map(),
    returnData: null,
    before: NO_BALANCES,
    after: NO_BALANCES,
  };
}
