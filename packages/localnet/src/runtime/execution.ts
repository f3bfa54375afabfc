import type { Address } from '@solana/kit';
import type { AccountStore } from './account-store.js';
import type { ComputeBudget } from './compute-budget.js';
import type { InnerInstruction, NativeRuntime, ReturnData } from './native-runtime.js';
import { InstructionFailure, type Program, type RuntimeClock } from './program.js';
import type { Transaction } from './transaction.js';
import { TransactionLog } from './transaction-log.js';

/** What stays the same from transaction to transaction. */
export interface Machine {
  readonly native: NativeRuntime;
  readonly store: AccountStore;
  /** The programs run in TypeScript; every other one is LiteSVM's. */
  readonly programs: ReadonlyMap<Address, Program>;
  readonly lamportsPerByte: bigint;
}

/** What the instructions of one transaction share while they run one after the other, and the trace they leave. */
export class Execution {
  readonly log = new TransactionLog();
  /** By the index of the transaction's own instruction. */
  readonly inner = new Map<number, InnerInstruction[]>();
  returnData: ReturnData | null = null;
  #unitsUsed = 0n;
  #current = 0;

  constructor(
    readonly machine: Machine,
    readonly transaction: Transaction,
    readonly clock: RuntimeClock,
    readonly budget: ComputeBudget,
    /** Takes the fee from the fee payer, as LiteSVM does by itself for a transaction it runs whole. */
    readonly takeFee: () => void,
  ) {}

  get unitsUsed(): bigint {
    return this.#unitsUsed;
  }

  get unitsLeft(): bigint {
    return this.budget.unitLimit - this.#unitsUsed;
  }

  /** Takes compute units. @throws {InstructionFailure} `ComputationalBudgetExceeded` when there are not enough left. */
  charge(units: bigint): void {
    if (units > this.unitsLeft) {
      this.#unitsUsed = this.budget.unitLimit;
      throw new InstructionFailure('ComputationalBudgetExceeded');
    }
    this.#unitsUsed += units;
  }

  /** From here on the trace is of the transaction's instruction with this index. */
  begin(index: number): void {
    this.#current = index;
  }

  /** Adds to the trace of the transaction's instruction that is running. */
  record(inner: InnerInstruction): void {
    const recorded = this.inner.get(this.#current);
    if (recorded === undefined) this.inner.set(this.#current, [inner]);
    else recorded.push(inner);
  }
}
