import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from './addresses.js';
import type { NativeRuntime } from './native-runtime.js';
import type { AccountState } from './program.js';

/** An account that does not exist, as a program sees it. */
export const EMPTY_ACCOUNT: AccountState = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM,
  executable: false,
};

/**
 * Every account of the chain. LiteSVM has a second copy for native programs, synchronised lazily: `dirty`
 * accounts are newer here, `stale` ones there.
 */
export class AccountStore {
  readonly #native: NativeRuntime;
  readonly #accounts = new Map<Address, AccountState>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  readonly #dirty = new Set<Address>();
  readonly #stale = new Set<Address>();
  /** The earlier states of accounts written since `begin`, for `rollback`. Null outside of a transaction. */
  #journal: Map<Address, AccountState | undefined> | null = null;

  /** The accounts of the programs written in TypeScript, which LiteSVM does not have. */
  readonly #fixed: ReadonlyMap<Address, AccountState>;

  constructor(native: NativeRuntime, fixed: ReadonlyMap<Address, AccountState>) {
    this.#native = native;
    this.#fixed = fixed;
  }

  /** The account, or undefined. An account without lamports does not exist. */
  find(address: Address): AccountState | undefined {
    if (this.#stale.delete(address)) {
      const account = this.#native.readAccount(address);
      const executable = account?.executable === true || this.#fixed.get(address)?.executable === true;
      this.#set(address, account && { ...account, executable });
    }
    return this.#accounts.get(address) ?? this.#atStart(address);
  }

  #atStart(address: Address): AccountState | undefined {
    return this.#fixed.get(address) ?? this.#native.readGenesisAccount(address);
  }

  /** Whether a new chain has this account as that of an upgradeable program, or as the one with its ELF. */
  isOfProgram(address: Address): boolean {
    return this.#atStart(address)?.owner === UPGRADEABLE_LOADER;
  }

  /** The account as a program sees it: a missing one is empty and belongs to the system program. */
  read(address: Address): AccountState {
    return this.find(address) ?? EMPTY_ACCOUNT;
  }

  write(address: Address, state: AccountState): void {
    this.#recordBefore(address);
    this.#stale.delete(address);
    this.#dirty.add(address);
    this.#set(address, state);
  }

  /** All accounts that a program owns, in no particular order. */
  *ownedBy(owner: Address): Iterable<readonly [Address, AccountState]> {
    for (const address of [...this.#stale]) this.find(address);
    for (const address of this.#native.genesisOwnedBy(owner))
      if (!this.#accounts.has(address)) yield [address, this.read(address)];
    for (const [address, account] of this.#fixed)
      if (account.owner === owner && !this.#accounts.has(address)) yield [address, account];
    for (const address of this.#byOwner.get(owner) ?? []) yield [address, this.read(address)];
  }

  /** Every account that exists and was ever written: the difference from a new chain. */
  *written(): Iterable<readonly [Address, AccountState]> {
    for (const address of [...this.#stale]) this.find(address);
    yield* this.#accounts;
  }

  /** Copies dirty accounts to LiteSVM before it runs something that may write these accounts. */
  beforeNative(writable: Iterable<Address>): void {
    for (const address of writable) {
      this.#recordBefore(address);
      if (this.#fixed.has(address)) this.#dirty.add(address);
    }
    for (const address of this.#dirty) {
      const account = this.read(address);
      // LiteSVM would look for the ELF of a program that is written in TypeScript.
      const executable = account.executable && !this.#fixed.has(address);
      this.#native.writeAccount(address, { ...account, executable });
    }
    this.#dirty.clear();
  }

  /** Marks accounts that were passed to `beforeNative` as written by LiteSVM. */
  afterNative(written: Iterable<Address>): void {
    for (const address of written) this.#stale.add(address);
  }

  /** Starts to record writes, so that they can be undone together. */
  begin(): void {
    this.#journal = new Map();
  }

  /** Keeps the writes since `begin`, and returns the addresses they touched. */
  commit(): Address[] {
    const touched = [...(this.#journal?.keys() ?? [])];
    this.#journal = null;
    return touched;
  }

  /** Undoes the writes since `begin`, and continues to record. */
  rollback(): void {
    const journal = this.#journal ?? [];
    this.#journal = new Map();
    for (const [address, before] of journal) {
      this.#stale.delete(address);
      this.#dirty.add(address);
      this.#set(address, before);
    }
  }

  #recordBefore(address: Address): void {
    if (this.#journal !== null && !this.#journal.has(address)) {
      this.#journal.set(address, this.find(address));
    }
  }

  #set(address: Address, state: AccountState | undefined): void {
    const before = this.#accounts.get(address);
    if (before !== undefined) this.#byOwner.get(before.owner)?.delete(address);
    if (state === undefined || state.lamports === 0n) {
      this.#accounts.delete(address);
      return;
    }
    this.#accounts.set(address, state);
    const owned = this.#byOwner.get(state.owner);
    if (owned === undefined) this.#byOwner.set(state.owner, new Set([address]));
    else owned.add(address);
  }
}
