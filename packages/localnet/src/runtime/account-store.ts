import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';
import type { NativeRuntime } from './native-runtime.js';
import type { AccountState } from './program.js';

const EMPTY: AccountState = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM,
  executable: false,
};

/**
 * Every account of the chain. Programs in TypeScript and readers use this copy; native programs run on LiteSVM's.
 * Each side takes over the other's writes only when it needs them: `dirty` accounts are newer here, `stale` ones there.
 */
export class AccountStore {
  readonly #native: NativeRuntime;
  readonly #accounts = new Map<Address, AccountState>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  readonly #dirty = new Set<Address>();
  readonly #stale = new Set<Address>();
  /** What the accounts written since `begin` were before, so that they can be put back. */
  #journal: Map<Address, AccountState | undefined> | null = null;

  /** Accounts LiteSVM does not know of and nothing writes. */
  readonly #fixed: ReadonlyMap<Address, AccountState>;

  constructor(native: NativeRuntime, fixed: ReadonlyMap<Address, AccountState>) {
    this.#native = native;
    this.#fixed = fixed;
  }

  /** The account, or undefined when there is none: an account without lamports does not exist. */
  find(address: Address): AccountState | undefined {
    if (this.#stale.delete(address)) this.#keep(address, this.#native.readAccount(address));
    return (
      this.#accounts.get(address) ?? this.#fixed.get(address) ?? this.#native.readGenesisAccount(address)
    );
  }

  /** The account as a program sees it: a missing one is empty and belongs to the system program. */
  read(address: Address): AccountState {
    return this.find(address) ?? EMPTY;
  }

  write(address: Address, state: AccountState): void {
    this.#remember(address);
    this.#stale.delete(address);
    this.#dirty.add(address);
    this.#keep(address, state);
  }

  /** All accounts of a program, in no order. */
  *ownedBy(owner: Address): Iterable<readonly [Address, AccountState]> {
    for (const address of [...this.#stale]) this.find(address);
    for (const [address, genesisOwner] of this.#native.genesisOwners) {
      if (genesisOwner === owner && !this.#accounts.has(address)) yield [address, this.read(address)];
    }
    for (const entry of this.#fixed) if (entry[1].owner === owner) yield entry;
    for (const address of this.#byOwner.get(owner) ?? []) yield [address, this.read(address)];
  }

  /** Every account that was ever written: the whole difference from a new chain. */
  *written(): Iterable<readonly [Address, AccountState]> {
    for (const address of [...this.#stale]) this.find(address);
    yield* this.#accounts;
  }

  /** Brings LiteSVM up to date before it runs something that may write these accounts. */
  beforeNative(writable: Iterable<Address>): void {
    for (const address of writable) this.#remember(address);
    for (const address of this.#dirty) this.#native.writeAccount(address, this.read(address));
    this.#dirty.clear();
  }

  /** Says that LiteSVM has just written these accounts, which `beforeNative` was told of. */
  afterNative(written: Iterable<Address>): void {
    for (const address of written) this.#stale.add(address);
  }

  /** From here on writes can be undone together. */
  begin(): void {
    this.#journal = new Map();
  }

  /** Keeps the writes since `begin`, and says which accounts they touched. */
  commit(): Address[] {
    const touched = [...(this.#journal?.keys() ?? [])];
    this.#journal = null;
    return touched;
  }

  /** Undoes the writes since `begin`, which keeps watching. */
  rollback(): void {
    const journal = this.#journal ?? [];
    this.#journal = new Map();
    for (const [address, before] of journal) {
      this.#stale.delete(address);
      this.#dirty.add(address);
      this.#keep(address, before);
    }
  }

  #remember(address: Address): void {
    if (this.#journal !== null && !this.#journal.has(address)) {
      this.#journal.set(address, this.find(address));
    }
  }

  #keep(address: Address, state: AccountState | undefined): void {
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
