import type { Address } from '@solana/kit';
import type { AccountStore } from './account-store.js';
import { COMPUTE_BUDGET_PROGRAM } from './addresses.js';
import type { ComputeBudget } from './compute-budget.js';
import { ProgramFrame } from './program-frame.js';
import { runOnLiteSvm } from './native-instructions.js';
import type { InnerInstruction, NativeRuntime, ReturnData } from './native-runtime.js';
import { InstructionFailure, type Program, type RuntimeClock, type RuntimeInstruction } from './program.js';
import type { Transaction } from './transaction.js';
import type { TransactionError } from './transaction-error.js';
import { TransactionLog } from './transaction-log.js';

/** What stays the same from transaction to transaction. */
export interface Machine {
  readonly native: NativeRuntime;
  readonly store: AccountStore;
  /** The programs run in TypeScript; every other one is LiteSVM's. */
  readonly programs: ReadonlyMap<Address, Program>;
  readonly lamportsPerByte: bigint;
}

const COMPUTE_BUDGET_UNITS = 150n;

/** One transaction's instructions, run one after the other, and the trace they leave. */
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

  /** Adds to the trace of the transaction's instruction that is running. */
  record(inner: InnerInstruction): void {
    const recorded = this.inner.get(this.#current);
    if (recorded === undefined) this.inner.set(this.#current, [inner]);
    else recorded.push(inner);
  }

  /** Runs everything. Whoever calls undoes the writes when this returns an error. */
  run(): TransactionError | null {
    const { instructions } = this.transaction;
    const { programs } = this.machine;
    if (!instructions.some(({ programAddress }) => programs.has(programAddress))) return this.#runWhole();
    this.takeFee();
    for (let at = 0; at < instructions.length;) {
      let end = at;
      while (end < instructions.length && this.#isNative(instructions[end])) end++;
      const error =
        end > at ? this.#runNative(instructions.slice(at, end), at) : this.#runOwn(instructions[at], at);
      if (error !== null) return error;
      at = Math.max(end, at + 1);
    }
    return null;
  }

  #isNative(instruction: RuntimeInstruction | undefined): boolean {
    const program = instruction?.programAddress;
    return program !== undefined && program !== COMPUTE_BUDGET_PROGRAM && !this.machine.programs.has(program);
  }

  /** The fee is LiteSVM's to take here, and so is everything else. */
  #runWhole(): TransactionError | null {
    const { native, store } = this.machine;
    const { accounts, wire } = this.transaction;
    const writable = accounts.filter((meta) => meta.isWritable).map((meta) => meta.address);
    store.beforeNative(writable);
    const addresses = accounts.map((meta) => meta.address);
    const limits = { units: this.budget.unitLimit, heapSize: this.budget.heapSize };
    const result = native.runTransaction(wire, addresses, limits);
    store.afterNative(writable);
    this.log.takeNative(result.logs, 0);
    this.#unitsUsed = result.units;
    this.returnData = result.returnData;
    for (const [index, list] of result.inner.entries()) {
      this.#current = index;
      for (const inner of list) this.record(inner);
    }
    return result.error;
  }

  /** Neighbours run together, so that each sees the ones before it as its siblings. */
  #runNative(instructions: readonly RuntimeInstruction[], first: number): TransactionError | null {
    const error = runOnLiteSvm(this, instructions, 0, (index) => {
      this.#current = first + index;
    });
    if (error === null || typeof error === 'string' || !('InstructionError' in error)) return error;
    const [index, failure] = error.InstructionError;
    return { InstructionError: [first + index, failure] };
  }

  #runOwn(instruction: RuntimeInstruction | undefined, index: number): TransactionError | null {
    if (instruction === undefined) return null;
    this.#current = index;
    try {
      if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM) this.#runComputeBudget();
      else new ProgramFrame(this, instruction, []).run();
      return null;
    } catch (failure) {
      if (failure instanceof InstructionFailure) return { InstructionError: [index, failure.error] };
      throw failure;
    }
  }

  /** What it asks for was read before anything ran; running it only costs and leaves its lines. */
  #runComputeBudget(): void {
    this.log.push(`Program ${COMPUTE_BUDGET_PROGRAM} invoke [1]`);
    this.charge(COMPUTE_BUDGET_UNITS);
    this.log.push(`Program ${COMPUTE_BUDGET_PROGRAM} success`);
  }
}
