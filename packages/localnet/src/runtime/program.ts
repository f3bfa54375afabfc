import type { Address } from '@solana/kit';

/** An account in a running transaction. A missing one is empty and belongs to the system program. */
export interface AccountState {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Address;
  readonly executable: boolean;
}

/** An account of an instruction, and the privileges with which the instruction names it. */
export interface AccountMeta {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** An instruction with its accounts resolved. */
export interface RuntimeInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** The part of the Clock sysvar that programs read. */
export interface RuntimeClock {
  readonly slot: bigint;
  /** Seconds since the Unix epoch, by the chain's clock. */
  readonly unixTimestamp: bigint;
}

/** Why an instruction failed: a program's code as `{ Custom: n }`, or Solana's name of a built-in error. */
export type InstructionError = { readonly Custom: number } | string;

/** A program throws it to fail its instruction, and with it the whole transaction. */
export class InstructionFailure extends Error {
  constructor(readonly error: InstructionError) {
    super(typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`);
    this.name = 'InstructionFailure';
  }
}

/**
 * The runtime as one instruction of a program in TypeScript sees it. A failed transaction undoes every write.
 */
export interface InvokeContext {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly clock: RuntimeClock;
  /** Lamports for each byte of an account, from the Rent sysvar. */
  readonly lamportsPerByte: bigint;
  /** Depth of this call: 1 for a top-level instruction, 2 for one that it invokes. */
  readonly depth: number;
  /** Reads an account; a missing one reads as empty. */
  read(address: Address): AccountState;
  /**
   * Replaces an account.
   * @throws {InstructionFailure} `ReadonlyDataModified` unless the instruction names it as writable
   */
  write(address: Address, state: AccountState): void;
  /**
   * Invokes a program, also this one, as an inner instruction. `signers` are PDAs for which this program
   * signs.
   * @throws {InstructionFailure} `PrivilegeEscalation` for a privilege that this instruction does not have
   */
  invoke(instruction: RuntimeInstruction, signers: readonly Address[]): void;
  /** Adds a line to the transaction's log. */
  log(message: string): void;
}

/**
 * A program written in TypeScript, in place of an ELF. A thrown `InstructionFailure` fails the instruction.
 */
export interface Program {
  (context: InvokeContext): void;
  /** The instruction's own compute units, without invocations. Default: 3,000, and 500 invoked. */
  readonly units?: (data: Uint8Array) => bigint;
}
