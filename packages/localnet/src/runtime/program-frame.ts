import type { Address } from '@solana/kit';
import type { Execution } from './execution.js';
import { runOnLiteSvm } from './native-instructions.js';
import {
  InstructionFailure,
  type AccountMeta,
  type AccountState,
  type InvokeContext,
  type RuntimeClock,
  type RuntimeInstruction,
} from './program.js';
import { instructionErrorText } from './transaction-error.js';

const MAX_DEPTH = 5;

// A program in TypeScript has no machine instructions to count, so its units are estimates.
const PROGRAM_UNITS = 3_000n;
const INVOKE_UNITS = 1_000n;

/** A call of a program in TypeScript, under the runtime's rules on accounts, privileges and invocations. */
export class ProgramFrame implements InvokeContext {
  readonly depth: number;
  readonly #execution: Execution;
  readonly #instruction: RuntimeInstruction;
  readonly #callers: readonly Address[];
  readonly #writable = new Set<Address>();
  readonly #signers = new Set<Address>();
  /** The failure of an invocation. The program then fails too, even if it catches the error. */
  #failure: InstructionFailure | null = null;

  /** @param callers the programs on the call stack, the top-level one first */
  constructor(execution: Execution, instruction: RuntimeInstruction, callers: readonly Address[]) {
    this.#execution = execution;
    this.#instruction = instruction;
    this.#callers = callers;
    this.depth = callers.length + 1;
    for (const { address, isSigner, isWritable } of instruction.accounts) {
      if (isWritable) this.#writable.add(address);
      if (isSigner) this.#signers.add(address);
    }
  }

  get programAddress(): Address {
    return this.#instruction.programAddress;
  }

  get accounts(): readonly AccountMeta[] {
    return this.#instruction.accounts;
  }

  get data(): Uint8Array {
    return this.#instruction.data;
  }

  get clock(): RuntimeClock {
    return this.#execution.clock;
  }

  get lamportsPerByte(): bigint {
    return this.#execution.machine.lamportsPerByte;
  }

  /** Runs the program. @throws {InstructionFailure} when the program fails, after its failure was logged */
  run(): void {
    const execution = this.#execution;
    const program = execution.machine.programs.get(this.programAddress);
    if (program === undefined)
      throw new Error(`${this.programAddress} is not a program written in TypeScript.`);
    const unitsBefore = execution.unitsLeft;
    const lamportsBefore = this.#totalLamports();
    execution.log.push(`Program ${this.programAddress} invoke [${this.depth}]`);
    const logUnits = (): void =>
      execution.log.push(
        `Program ${this.programAddress} consumed ${unitsBefore - execution.unitsLeft} of ${unitsBefore} compute units`,
      );
    try {
      execution.charge(program.units?.(this.data) ?? (this.depth === 1 ? PROGRAM_UNITS : PROGRAM_UNITS / 6n));
      program(this);
      if (this.#failure !== null) throw this.#failure;
      if (this.#totalLamports() !== lamportsBefore) throw new InstructionFailure('UnbalancedInstruction');
      logUnits();
      execution.log.push(`Program ${this.programAddress} success`);
    } catch (failure) {
      if (failure instanceof InstructionFailure) {
        logUnits();
        execution.log.push(`Program ${this.programAddress} failed: ${instructionErrorText(failure.error)}`);
      }
      throw failure;
    }
  }

  /** The account as a copy: a program's changes to it have no effect until it writes the account. */
  read(address: Address): AccountState {
    return copy(this.#execution.machine.store.read(address));
  }

  write(address: Address, state: AccountState): void {
    if (!this.#writable.has(address)) throw new InstructionFailure('ReadonlyDataModified');
    const { store } = this.#execution.machine;
    const before = store.read(address);
    if (before.owner !== this.programAddress) {
      if (state.owner !== before.owner) throw new InstructionFailure('ModifiedProgramId');
      if (state.lamports < before.lamports) throw new InstructionFailure('ExternalAccountLamportSpend');
      if (!equal(state.data, before.data)) throw new InstructionFailure('ExternalAccountDataModified');
    }
    if (state.owner !== before.owner && state.data.some((byte) => byte !== 0)) {
      throw new InstructionFailure('ModifiedProgramId');
    }
    if (state.executable !== before.executable) throw new InstructionFailure('ExecutableModified');
    store.write(address, copy(state));
  }

  invoke(instruction: RuntimeInstruction, signers: readonly Address[]): void {
    try {
      this.#invoke(instruction, signers);
    } catch (failure) {
      if (failure instanceof InstructionFailure) this.#failure = failure;
      throw failure;
    }
  }

  log(message: string): void {
    this.#execution.log.push(`Program log: ${message}`);
  }

  #invoke(instruction: RuntimeInstruction, signers: readonly Address[]): void {
    const execution = this.#execution;
    execution.charge(INVOKE_UNITS);
    this.#assertPrivileges(instruction, signers);
    const callee = instruction.programAddress;
    const callers = [...this.#callers, this.programAddress];
    if (callers.length >= MAX_DEPTH) throw new InstructionFailure('CallDepth');
    // A program may call itself directly, and nothing else that is still running.
    if (callee !== this.programAddress && callers.includes(callee)) {
      throw new InstructionFailure('ReentrancyNotAllowed');
    }
    execution.record({
      programAddress: callee,
      accounts: instruction.accounts.map((meta) => meta.address),
      data: instruction.data,
      stackHeight: this.depth + 1,
    });
    if (execution.machine.programs.has(callee)) {
      new ProgramFrame(execution, instruction, callers).run();
      return;
    }
    const error = runOnLiteSvm(execution, [instruction], this.depth, () => undefined);
    if (error === null) return;
    // For a single instruction, LiteSVM's error is its own, or says that the callee is not a program.
    const isOwnError = typeof error === 'object' && 'InstructionError' in error;
    throw new InstructionFailure(isOwnError ? error.InstructionError[1] : 'UnsupportedProgramId');
  }

  #assertPrivileges(instruction: RuntimeInstruction, signers: readonly Address[]): void {
    const { log, transaction } = this.#execution;
    const callee = instruction.programAddress;
    if (!transaction.accounts.some((meta) => meta.address === callee)) {
      log.push(`Unknown program ${callee}`);
      throw new InstructionFailure('MissingAccount');
    }
    for (const { address, isSigner, isWritable } of instruction.accounts) {
      if (!this.accounts.some((meta) => meta.address === address)) {
        log.push(`Instruction references an unknown account ${address}`);
        throw new InstructionFailure('MissingAccount');
      }
      if (isWritable && !this.#writable.has(address)) {
        log.push(`${address}'s writable privilege escalated`);
        throw new InstructionFailure('PrivilegeEscalation');
      }
      if (isSigner && !this.#signers.has(address) && !signers.includes(address)) {
        log.push(`${address}'s signer privilege escalated`);
        throw new InstructionFailure('PrivilegeEscalation');
      }
    }
  }

  /** The sum of the lamports of the instruction's accounts, which no instruction may change. */
  #totalLamports(): bigint {
    const { store } = this.#execution.machine;
    const addresses = new Set(this.accounts.map((meta) => meta.address));
    let sum = 0n;
    for (const address of addresses) sum += store.read(address).lamports;
    return sum;
  }
}

function copy(state: AccountState): AccountState {
  return { ...state, data: state.data.slice() };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
