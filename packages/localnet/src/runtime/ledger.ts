import type { Address } from '@solana/kit';
import { AccountStore } from './account-store.js';
import { SYSTEM_PROGRAM } from './addresses.js';
import { balancesOf, type Balances } from './balances.js';
import { readComputeBudget, transactionFee, type ComputeBudget } from './compute-budget.js';
import { Execution, type Machine } from './execution.js';
import { runInstructions } from './run-instructions.js';
import { FEE_PAYER, type InnerInstruction, type NativeRuntime, type ReturnData } from './native-runtime.js';
import { programAccounts } from './own-programs.js';
import type { AccountState, Program, RuntimeClock, RuntimeInstruction } from './program.js';
import { isRentExempt, rentViolation } from './rent.js';
import type { Transaction } from './transaction.js';
import type { TransactionError } from './transaction-error.js';

/** What running a transaction came to. */
export interface Processed {
  /** False when it was turned away before its fee was taken: such a transaction leaves no trace on the chain. */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  /** Lamports taken from the fee payer, or, when it did not land, that would have been. */
  readonly fee: bigint;
  readonly logs: readonly string[];
  readonly unitsUsed: bigint;
  /** By the index of the transaction's own instruction. */
  readonly innerInstructions: ReadonlyMap<number, readonly InnerInstruction[]>;
  readonly returnData: ReturnData | null;
  readonly before: Balances;
  readonly after: Balances;
}

const PRIVILEGED_LIMITS = { units: 1_400_000n, heapSize: 32 * 1024 };

const NO_BALANCES: Balances = { lamports: [], tokens: [] };

/** Runs transactions on the accounts, one at a time: all of one's writes stay, or only its fee does. */
export class Ledger {
  readonly store: AccountStore;
  readonly #machine: Machine;

  constructor(native: NativeRuntime, programs: ReadonlyMap<Address, Program>, lamportsPerByte: bigint) {
    this.store = new AccountStore(native, programAccounts(programs.keys(), lamportsPerByte));
    this.#machine = { native, store: this.store, programs, lamportsPerByte };
  }

  /**
   * Runs a transaction. Its writes, or its fee alone if it failed, are in the store until `keep` or `undo` decides on them.
   * Its signatures, blockhash and novelty are the caller's to check before.
   */
  process(transaction: Transaction, clock: RuntimeClock): Processed {
    this.store.begin();
    try {
      const asked = readComputeBudget(transaction.instructions);
      if (!asked.ok) return turnedAway(asked.error, 0n);
      const fee = transactionFee(transaction, asked.budget);
      const refusal = this.#refusal(transaction, fee);
      return refusal === null ? this.#run(transaction, clock, asked.budget, fee) : turnedAway(refusal, fee);
    } catch (bug) {
      this.undo();
      throw bug;
    }
  }

  /** Makes what was processed last stay, and says which accounts it touched. */
  keep(): readonly Address[] {
    return this.store.commit();
  }

  /** Makes what was processed last as if it had never been. */
  undo(): void {
    this.store.rollback();
    this.store.commit();
  }

  /** Makes writes from outside of any transaction together, or none of them when one throws. */
  atOnce<Result>(write: () => Result): Result {
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
   * Runs instructions on LiteSVM for good, outside of any transaction: nobody signs them or pays for them. What they write is
   * theirs only if they all succeed.
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

  /** Why a transaction cannot even be charged for, in the order of program#transaction-admission. */
  #refusal(transaction: Transaction, fee: bigint): TransactionError | null {
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
  if (payer === undefined) throw new Error('A decoded transaction has a fee payer.');
  return payer.address;
}

function turnedAway(error: TransactionError, fee: bigint): Processed {
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
