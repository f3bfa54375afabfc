import type { Address } from '@solana/kit';
import type { AccountStore } from './account-store.js';
import type { ComputeBudget } from './compute-budget.js';
import type { InnerInstruction, NativeRuntime, ReturnData } from './native-runtime.js';
import { InstructionFailure, type Program, type RuntimeClock } from './program.js';
import type { Transaction } from './transaction.js';
import { TransactionLog } from './transaction-log.js';

/** The machine of every transaction: the accounts, and the programs that process them. */
export interface Machine {
  readonly native: NativeRuntime;
  readonly store: AccountStore;
  /** The programs written in TypeScript; LiteSVM runs all others. */
  readonly programs: ReadonlyMap<Address, Program>;
  readonly lamportsPerByte: bigint;
}

/** The run of one transaction: the shared state and the trace (log, inner instructions, units). */
export class Execution {
  readonly log = new TransactionLog();
  /** Inner instructions by the index of the top-level instruction. */
  readonly inner = new Map<number, InnerInstruction[]>();
  returnData: ReturnData | null = null;
  #unitsUsed = 0n;
  #current = 0;

  constructor(
    readonly machine: Machine,
    readonly transaction: Transaction,
    readonly clock: RuntimeClock,
    readonly budget: ComputeBudget,
    /** Takes the fee from the fee payer, unless LiteSVM runs the whole transaction and takes it. */
    readonly takeFee: () => void,
  ) {}

  get unitsUsed(): bigint {
    return this.#unitsUsed;
  }

  get unitsLeft(): bigint {
    return this.budget.unitLimit - this.#unitsUsed;
  }

  /** Uses compute units. @throws {InstructionFailure} `ComputationalBudgetExceeded` when too few are left */
  charge(units: bigint): void {
    if (units > this.unitsLeft) {
      this.#unitsUsed = this.budget.unitLimit;
      throw new InstructionFailure('ComputationalBudgetExceeded');
    }
    this.#unitsUsed += units;
  }

  /** Attributes the trace to the top-level instruction with this index from here on. */
  begin(index: number): void {
    this.#current = index;
  }

  /** Adds an inner instruction to the trace of the current top-level instruction. */
  record(inner: InnerInstruction): void {
    const recorded = this.inner.get(this.#current);
    if (recorded === undefined) this.inner.set(this.#current, [inner]);
    else recorded.push(inner);
  }
}
