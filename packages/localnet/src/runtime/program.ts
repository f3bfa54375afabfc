import type { Address } from '@solana/kit';

/** An account as a running transaction sees it. A missing account reads as empty, with no lamports, owned by the system program. */
export interface AccountState {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Address;
  readonly executable: boolean;
}

/** How one instruction names an account, and with which privileges. */
export interface AccountMeta {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface RuntimeInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** The part of the Clock sysvar that programs read. */
export interface RuntimeClock {
  readonly slot: bigint;
  /** Seconds since the Unix epoch, as the chain counts them. */
  readonly unixTimestamp: bigint;
}

/** `{ Custom: n }`, or a built-in instruction error by Solana's own name (`InvalidAccountOwner`). */
export type InstructionError = { readonly Custom: number } | string;

/** Thrown by a program, or by what it invokes, to fail the instruction and with it the whole transaction. */
export class InstructionFailure extends Error {
  constructor(readonly error: InstructionError) {
    super(typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`);
    this.name = 'InstructionFailure';
  }
}

/**
 * What a program written in TypeScript may do while one of its instructions runs.
 * Writes and invocations are undone together when the transaction fails.
 */
export interface InvokeContext {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly clock: RuntimeClock;
  /** Lamports for each byte of an account, from the Rent sysvar. */
  readonly lamportsPerByte: bigint;
  /** How deep this call is: 1 for an instruction of the transaction, 2 for one it invokes. */
  readonly depth: number;
  read(address: Address): AccountState;
  /** Replaces an account. Refused with `ReadonlyDataModified` when the instruction does not hold it writable. */
  write(address: Address, state: AccountState): void;
  /**
   * Invokes another program (or this one again), recorded as an inner instruction. `signers` are addresses derived from
   * this program, for which it signs; any other privilege must be held by this instruction already, else `PrivilegeEscalation`.
   */
  invoke(instruction: RuntimeInstruction, signers: readonly Address[]): void;
  log(message: string): void;
}

/** A program run by this process in place of an ELF. It returns, or throws `InstructionFailure`. */
export type Program = (context: InvokeContext) => void;
