import type { Address } from '@solana/kit';
import {
  EARLY_LOADERS,
  LOOKUP_TABLE_PROGRAM,
  NATIVE_LOADER,
  SLOT_HASHES,
  SYSVAR_OWNER,
  UPGRADEABLE_LOADER,
} from './addresses.js';
import { addressBytes, toAddress } from './base58.js';
import { genesis } from './genesis.js';
import { accountIn, accountsOf, litesvm, type LiteSvmBinding } from './litesvm.js';
import { packNativeMessage } from './native-message.js';
import type { AccountState, RuntimeInstruction } from './program.js';
import { readNativeError, type TransactionError } from './transaction-error.js';

/** An instruction that a program invoked, with its accounts as addresses. The stack height begins at 2. */
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

/** LiteSVM's report on a run. */
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

/** The payer of instructions that LiteSVM runs without a transaction, which never runs out. */
export const FEE_PAYER = toAddress(new TextEncoder().encode('subrail localnet pays native fee'));
const FEE_PAYER_LAMPORTS = 1n << 62n;

/** LiteSVM without its signature, blockhash and duplicate checks, which `Localnet` makes itself. */
export class NativeRuntime {
  readonly #svm: LiteSvmBinding.LiteSvm;
  readonly #budget = new litesvm.ComputeBudget();
  /** The accounts of a new chain. Sysvars are those of the first chain of the process. */
  readonly #genesis: ReadonlyMap<Address, AccountState>;
  /** The genesis accounts that LiteSVM gets when a transaction names them: loading all programs is slow. */
  readonly #withheld: Map<Address, AccountState>;
  /** Computes the SlotHashes sysvar, which is old until something reads it; null when it is up to date. */
  #slotHashes: (() => SlotHashes) | null = null;

  /**
   * @param lamportsPerByte lamports for each byte that exempt an account from rent
   * @param programs ELF files that LiteSVM runs itself, by address
   */
  constructor(lamportsPerByte: bigint, programs: ReadonlyMap<Address, Uint8Array>) {
    const { accounts, features } = genesis(lamportsPerByte);
    this.#svm = litesvm.LiteSvm.default();
    this.#svm.setFeatureSet(features);
    this.#svm.setBuiltins();
    this.#svm.setSysvars();
    this.#svm.setPrecompiles();
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setLogBytesLimit(null);
    // Lamports for each byte, the threshold that multiplies them, and the percentage of rent that is burned.
    this.#svm.setRent(new litesvm.Rent(lamportsPerByte, 1, 50));
    this.#svm.setEpochSchedule(new litesvm.EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
    for (const [address, elf] of programs) this.#svm.addProgram(addressBytes(address), elf);
    // A program may have a second account, with its ELF.
    const added = accountsOf(this.#svm, [UPGRADEABLE_LOADER, ...EARLY_LOADERS]);
    this.#genesis = new Map([...accounts, ...added]);
    // LiteSVM makes sysvars and the validator's own programs itself.
    this.#withheld = new Map(
      [...accounts].filter(([, { owner }]) => owner !== SYSVAR_OWNER && owner !== NATIVE_LOADER),
    );
    for (const address of added.keys()) this.#withheld.delete(address);
    this.#svm.setAccount(
      addressBytes(FEE_PAYER),
      new litesvm.Account(FEE_PAYER_LAMPORTS, new Uint8Array(), new Uint8Array(32), false, 0n),
    );
  }

  /** The slot of a new chain. Programs cannot be called before the slot in which they were loaded. */
  get firstSlot(): bigint {
    return this.#svm.getClock().slot;
  }

  /** Sets the Clock sysvar, and the SlotHashes when they are read: setting them takes milliseconds. */
  setClock(clock: ClockSysvar, slotHashes: () => SlotHashes): void {
    this.#slotHashes = slotHashes;
    this.#svm.setClock(
      new litesvm.Clock(
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
    return accountIn(this.#svm, address);
  }

  /** A genesis account as it was at the start; a sysvar as it is now. */
  readGenesisAccount(address: Address): AccountState | undefined {
    const account = this.#genesis.get(address);
    return account?.owner === SYSVAR_OWNER ? this.readAccount(address) : account;
  }

  /** The addresses of the genesis accounts that a program owns. */
  *genesisOwnedBy(owner: Address): Iterable<Address> {
    for (const [address, account] of this.#genesis) if (account.owner === owner) yield address;
  }

  writeAccount(address: Address, account: AccountState): void {
    this.#withheld.delete(address);
    this.#setAccount(address, account, RENT_EXEMPT_EPOCH);
  }

  #setAccount(address: Address, { lamports, data, owner, executable }: AccountState, rentEpoch: bigint) {
    // LiteSVM loads a program with its account. The account of an upgradeable one names that with its ELF.
    if (owner === UPGRADEABLE_LOADER && executable) this.#give(toAddress(data.slice(4, 36)));
    const account = new litesvm.Account(lamports, data, addressBytes(owner), executable, rentEpoch);
    this.#svm.setAccount(addressBytes(address), account);
  }

  /** Gives LiteSVM a genesis account that it does not have yet. */
  #give(address: Address): void {
    const account = this.#withheld.get(address);
    if (account === undefined) return;
    this.#withheld.delete(address);
    this.#setAccount(address, account, 0n);
  }

  /** Runs a whole transaction as it was sent, and takes its fee. */
  runTransaction(wire: Uint8Array, addresses: readonly Address[], limits: NativeLimits): NativeResult {
    this.#budget.computeUnitLimit = limits.units;
    this.#budget.heapSize = limits.heapSize;
    this.#svm.setComputeBudget(this.#budget);
    if (addresses.includes(LOOKUP_TABLE_PROGRAM) || addresses.includes(SLOT_HASHES)) this.#setSlotHashes();
    for (const address of addresses) this.#give(address);
    return readResult(this.#svm.sendVersionedTransaction(wire), addresses);
  }

  #setSlotHashes(): void {
    if (this.#slotHashes !== null) this.#svm.setSlotHashes([...this.#slotHashes()]);
    this.#slotHashes = null;
  }

  /**
   * Runs instructions with the privileges of their metas, without a fee for the user. Errors count from the
   * first.
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
  const failed = result instanceof litesvm.FailedTransactionMetadata;
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
