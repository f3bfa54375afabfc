import { createRequire } from 'node:module';
import type { Address } from '@solana/kit';
import type * as LiteSvmBinding from 'litesvm/dist/internal.js';
import {
  LOOKUP_TABLE_PROGRAM,
  MEMO_3,
  MEMO_4,
  NATIVE_LOADER,
  SLOT_HASHES,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  UPGRADEABLE_LOADER,
} from './addresses.js';
import { addressBytes, toAddress } from './base58.js';
import { readNativeError } from './native-error.js';
import { packNativeMessage } from './native-message.js';
import type { AccountState, RuntimeInstruction } from './program.js';
import type { TransactionError } from './transaction-error.js';

// The package's main entry converts base58 on every call; its binding takes and returns bytes.
const binding = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof LiteSvmBinding;

/**
 * An instruction that a program invoked, with its accounts as addresses. At stack height 2 a top-level instruction
 * invoked it.
 */
export interface InnerInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

/** The data that the last program to set any returned from the transaction. */
export interface ReturnData {
  readonly programAddress: Address;
  readonly data: Uint8Array;
}

/** What LiteSVM reports about a run. */
export interface NativeResult {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: bigint;
  /** For each instruction that ran, the instructions it invoked, in order. */
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly returnData: ReturnData | null;
}

/** The limits of a run. */
export interface NativeLimits {
  readonly units: bigint;
  readonly heapSize: number;
}

/** The values of the Clock sysvar. */
export interface ClockSysvar {
  readonly slot: bigint;
  readonly epochStartTimestamp: bigint;
  readonly epoch: bigint;
  readonly leaderScheduleEpoch: bigint;
  readonly unixTimestamp: bigint;
}

export const SLOTS_PER_EPOCH = 432_000n;

/** Earlier slots with the hashes of their blocks, newest first, as the SlotHashes sysvar has them. */
export type SlotHashes = readonly { readonly slot: bigint; readonly hash: string }[];

const LOADERS = [
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
];
const OTHER_OWNERS = [
  'Feature111111111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
];
const GENESIS_OWNERS = [
  ...[NATIVE_LOADER, UPGRADEABLE_LOADER, SYSVAR_OWNER, TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ...[...LOADERS, ...OTHER_OWNERS].map((owner) => owner as Address),
];

/**
 * Pays the fees that LiteSVM takes for instructions it runs outside of a whole transaction. It belongs to no user and
 * never runs out.
 */
export const FEE_PAYER = toAddress(new TextEncoder().encode('subrail localnet pays native fee'));
const FEE_PAYER_LAMPORTS = 1n << 62n;

/**
 * LiteSVM, reduced to what the ledger needs. Its signature, blockhash and duplicate checks are off, because `Localnet`
 * makes these checks itself.
 */
export class NativeRuntime {
  readonly #svm: LiteSvmBinding.LiteSvm;
  readonly #budget = new binding.ComputeBudget();
  /**
   * The owner of each account that a new chain has, by address. LiteSVM holds the contents of these accounts until a
   * transaction writes them.
   */
  readonly genesisOwners: ReadonlyMap<Address, Address>;
  readonly #genesis = new Map<Address, AccountState>();
  /** Computes the SlotHashes sysvar, which is old until something reads it; null when it is up to date. */
  #slotHashes: (() => SlotHashes) | null = null;

  /**
   * @param lamportsPerByte lamports for each byte that exempt an account from rent
   * @param programs ELF files that LiteSVM runs itself, by address
   */
  constructor(lamportsPerByte: bigint, programs: ReadonlyMap<Address, Uint8Array>) {
    this.#svm = new binding.LiteSvm();
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setLogBytesLimit(null);
    // Lamports for each byte, the exemption threshold that multiplies them, and the percentage of rent that is burned.
    this.#svm.setRent(new binding.Rent(lamportsPerByte, 1, 50));
    this.#svm.setEpochSchedule(new binding.EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
    this.#svm.withNativeMints();
    for (const [address, elf] of programs) this.#svm.addProgram(addressBytes(address), elf);
    // LiteSVM has the program of version 4 at the address of version 3, and nothing at its own.
    const memo = this.readAccount(MEMO_3);
    if (memo !== undefined && this.readAccount(MEMO_4) === undefined)
      this.#svm.addProgram(addressBytes(MEMO_4), memo.data);
    const genesis = new Map<Address, Address>();
    for (const owner of GENESIS_OWNERS) {
      for (const { address } of this.#svm.getProgramAccounts(addressBytes(owner))) {
        genesis.set(toAddress(address), owner);
      }
    }
    this.genesisOwners = genesis;
    this.#svm.setAccount(
      addressBytes(FEE_PAYER),
      new binding.Account(FEE_PAYER_LAMPORTS, new Uint8Array(), new Uint8Array(32), false, 0n),
    );
  }

  /** The slot in which the programs were loaded. In an earlier slot they cannot be called. */
  get firstSlot(): bigint {
    return this.#svm.getClock().slot;
  }

  /** Sets the Clock sysvar, and the SlotHashes when they are read: to set hundreds of entries takes milliseconds. */
  setClock(clock: ClockSysvar, slotHashes: () => SlotHashes): void {
    this.#slotHashes = slotHashes;
    this.#svm.setClock(
      new binding.Clock(
        clock.slot,
        clock.epochStartTimestamp,
        clock.epoch,
        clock.leaderScheduleEpoch,
        clock.unixTimestamp,
      ),
    );
  }

  readAccount(address: Address): AccountState | undefined {
    if (address === SLOT_HASHES) this.#setSlotHashes();
    const account = this.#svm.getAccount(addressBytes(address));
    if (account === null) return undefined;
    return {
      lamports: account.lamports(),
      data: account.data(),
      owner: toAddress(account.owner()),
      executable: account.executable(),
    };
  }

  /** A genesis account as it was at the start; a sysvar as it is now. */
  readGenesisAccount(address: Address): AccountState | undefined {
    const owner = this.genesisOwners.get(address);
    if (owner === undefined || owner === SYSVAR_OWNER) return owner && this.readAccount(address);
    const known = this.#genesis.get(address) ?? this.readAccount(address);
    if (known !== undefined) this.#genesis.set(address, known);
    return known;
  }

  writeAccount(address: Address, { lamports, data, owner, executable }: AccountState): void {
    const account = new binding.Account(lamports, data, addressBytes(owner), executable, RENT_EXEMPT_EPOCH);
    this.#svm.setAccount(addressBytes(address), account);
  }

  /** Runs a whole transaction as it was sent, and takes its fee. */
  runTransaction(wire: Uint8Array, addresses: readonly Address[], limits: NativeLimits): NativeResult {
    this.#budget.computeUnitLimit = limits.units;
    this.#budget.heapSize = limits.heapSize;
    this.#svm.setComputeBudget(this.#budget);
    if (addresses.includes(LOOKUP_TABLE_PROGRAM) || addresses.includes(SLOT_HASHES)) this.#setSlotHashes();
    return readResult(this.#svm.sendVersionedTransaction(wire), addresses);
  }

  #setSlotHashes(): void {
    if (this.#slotHashes !== null) this.#svm.setSlotHashes([...this.#slotHashes()]);
    this.#slotHashes = null;
  }

  /**
   * Runs instructions with the privileges that their metas claim, without a fee for the user. Error indexes count from
   * the first of them.
   */
  runInstructions(
    instructions: readonly RuntimeInstruction[],
    limits: NativeLimits,
  ): NativeInstructionsResult {
    const { wire, addresses } = packNativeMessage(FEE_PAYER, instructions);
    return { ...this.runTransaction(wire, addresses, limits), addresses };
  }
}

/** A result with the addresses to which the account indexes of its error refer. */
export type NativeInstructionsResult = NativeResult & { readonly addresses: readonly Address[] };

/** The rent epoch of an account that never owes rent. */
export const RENT_EXEMPT_EPOCH = 0xffff_ffff_ffff_ffffn;

function readResult(
  result: LiteSvmBinding.TransactionMetadata | LiteSvmBinding.FailedTransactionMetadata,
  addresses: readonly Address[],
): NativeResult {
  const failed = result instanceof binding.FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const returned = meta.returnData();
  const returnedData = returned.data();
  return {
    error: failed ? readNativeError(result.err()) : null,
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((list) => list.map((inner) => readInner(inner, addresses))),
    returnData:
      returnedData.length === 0
        ? null
        : { programAddress: toAddress(returned.programId()), data: returnedData },
  };
}

function readInner(inner: LiteSvmBinding.InnerInstruction, addresses: readonly Address[]): InnerInstruction {
  const instruction = inner.instruction();
  return {
    programAddress: addressAt(addresses, instruction.programIdIndex()),
    accounts: [...instruction.accounts()].map((index) => addressAt(addresses, index)),
    data: instruction.data(),
    stackHeight: inner.stackHeight(),
  };
}

function addressAt(addresses: readonly Address[], index: number): Address {
  const address = addresses[index];
  if (address === undefined)
    throw new Error(
      `LiteSVM returned account index ${index} for a transaction of ${addresses.length} accounts.`,
    );
  return address;
}
