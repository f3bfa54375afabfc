import type { Address } from '@solana/kit';

/**
 * An account as a running transaction sees it. A missing account reads as empty, with no lamports, owned by the system
 * program.
 */
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

/**
 * Why an instruction failed: a program's code as `{ Custom: n }`, or a built-in error by Solana's name, such as
 * `InvalidAccountOwner`.
 */
export type InstructionError = { readonly Custom: number } | string;

/** A program throws it to fail its instruction, and with it the whole transaction. */
export class InstructionFailure extends Error {
  constructor(readonly error: InstructionError) {
    super(typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`);
    this.name = 'InstructionFailure';
  }
}

/**
 * What a program written in TypeScript can read and do while one of its instructions runs. When the transaction fails,
 * all its writes and invocations are undone.
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
   * Invokes another program, or this one again, as an inner instruction. `signers` are PDAs of this program, for which
   * it signs.
   * @throws {InstructionFailure} `PrivilegeEscalation` for any other privilege that this instruction does not have
   * itself
   */
  invoke(instruction: RuntimeInstruction, signers: readonly Address[]): void;
  /** Adds a line to the transaction's log. */
  log(message: string): void;
}

/**
 * A program written in TypeScript, in place of an ELF. It returns when it succeeds, and throws `InstructionFailure`
 * when it fails.
 */
export interface Program {
  (context: InvokeContext): void;
  /** The compute units that an instruction with this data uses itself, without those of what it invokes. Default: 3,000, and 500 invoked. */
  readonly units?: (data: Uint8Array) => bigint;
}
