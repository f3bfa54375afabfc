import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { Change, ChangeListener } from './change.js';
import { buildAirdrop } from './faucet.js';
import { History, type LandedTransaction } from './history.js';
import { subscriptionsProgram } from './program/index.js';
import type { AccountStore } from './runtime/account-store.js';
import { SUBSCRIPTIONS_PROGRAM, SYSVAR_OWNER, TOKEN_PROGRAM } from './runtime/addresses.js';
import { Ledger, type Processed } from './runtime/ledger.js';
import { NativeRuntime } from './runtime/native-runtime.js';
import type { AccountState, Program, RuntimeClock } from './runtime/program.js';
import { signatureError } from './runtime/signatures.js';
import {
  readMint,
  readTokenAccount,
  updateSupply,
  updateTokenAccount,
  type TokenAccountUpdate,
} from './runtime/token-layout.js';
import { decodeTransaction, type Transaction } from './runtime/transaction.js';
import type { TransactionError } from './runtime/transaction-error.js';
import { Blockhashes } from './time/blockhashes.js';
import { ChainClock } from './time/chain-clock.js';

export interface LocalnetOptions {
  /** Seconds since the Unix epoch at which the chain begins. Default: the first second of 2026. */
  readonly unixTime?: bigint;
  /** The Subscriptions program: the ELF, the path of its file, or one written in TypeScript. Default: this package's own. */
  readonly program?: Program | Uint8Array | string;
  /** Further programs written in TypeScript, by address. */
  readonly programs?: ReadonlyMap<Address, Program>;
  /** Lamports of rent for each byte of an account. Default 6,960, the classic rate; newer clusters ask less. */
  readonly lamportsPerByte?: bigint;
  /** 32 bytes that set this chain's blockhashes apart from another's. Default: random. */
  readonly seed?: Uint8Array;
  /** How many landed transactions are remembered. Default 10,000. */
  readonly historyLimit?: number;
  /** Milliseconds since any fixed moment, never going back. Default: the process's own monotonic clock. */
  readonly monotonicMs?: () => number;
}

/** What became of a transaction. */
export interface TransactionResult {
  readonly signature: string;
  /** False when the chain keeps no trace of it: turned away at the door, or only simulated. */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly slot: bigint;
  /** What running it came to, or null when it was turned away before it ran. */
  readonly processed: Processed | null;
}

const U64_MAX = 0xffff_ffff_ffff_ffffn;
const DEFAULT_UNIX_TIME = 1_767_225_600n;
const DEFAULT_LAMPORTS_PER_BYTE = 6_960n;
const DEFAULT_HISTORY_LIMIT = 10_000;

/** A Solana in one process, its clock standing still until told to run or to jump. */
export function createLocalnet(options: LocalnetOptions = {}): Localnet {
  return new Localnet(options);
}

/** The chain: accounts, time, blockhashes and history, and the door transactions come in by. */
export class Localnet {
  /** Lamports of rent for each byte of an account. */
  readonly lamportsPerByte: bigint;
  readonly clock: ChainClock;
  readonly history: History;
  readonly blockhashes: Blockhashes;
  /** The slot of the first block, whose height is 0. */
  readonly firstSlot: bigint;
  readonly #native: NativeRuntime;
  readonly #ledger: Ledger;
  readonly #listeners = new Set<ChangeListener>();
  #clockSetTo = '';

  constructor(options: LocalnetOptions) {
    const { program = subscriptionsProgram } = options;
    this.lamportsPerByte = options.lamportsPerByte ?? DEFAULT_LAMPORTS_PER_BYTE;
    const elves = new Map<Address, Uint8Array>();
    const programs = new Map(options.programs);
    if (typeof program === 'function') programs.set(SUBSCRIPTIONS_PROGRAM, program);
    else elves.set(SUBSCRIPTIONS_PROGRAM, typeof program === 'string' ? readFileSync(program) : program);
    this.#native = new NativeRuntime(this.lamportsPerByte, elves);
    this.#ledger = new Ledger(this.#native, programs, this.lamportsPerByte);
    this.firstSlot = this.#native.firstSlot;
    const start = { slot: this.firstSlot, unixMs: Number(options.unixTime ?? DEFAULT_UNIX_TIME) * 1000 };
    this.clock = new ChainClock([start], 0, options.monotonicMs ?? (() => performance.now()));
    this.blockhashes = new Blockhashes(options.seed ?? randomBytes(32));
    this.history = new History(options.historyLimit ?? DEFAULT_HISTORY_LIMIT);
  }

  /** Every slot since the first has its block, so heights run with slots, but lower: the two are not to be mixed up. */
  get blockHeight(): bigint {
    return this.clock.slot - this.firstSlot;
  }

  /** The chain's wall clock. */
  now(): Date {
    return new Date(this.clock.unixMs);
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    const blockhash = this.blockhashes.at(this.blockHeight);
    return {
      blockhash,
      lastValidBlockHeight: this.blockhashes.lastValidHeight(blockhash) ?? this.blockHeight,
    };
  }

  blockhashIsValid(blockhash: string): boolean {
    const lastValid = this.blockhashes.lastValidHeight(blockhash);
    return lastValid !== null && this.blockHeight <= lastValid;
  }

  /** Jumps forward: `seconds` and `slots` alone take the other along (2.5 slots a second), together they move apart. */
  advance({ seconds, slots }: { readonly seconds?: number; readonly slots?: number }): void {
    if (seconds !== undefined && slots !== undefined) this.clock.jump(seconds * 1000, BigInt(slots));
    else if (seconds !== undefined) this.clock.advanceMs(seconds * 1000);
    else if (slots !== undefined) this.clock.advanceSlots(BigInt(slots));
    this.#tell({ kind: 'clock' });
  }

  /** Jumps forward to a moment of the chain's wall clock. @throws {RangeError} for one that is over */
  travelTo(moment: Date): void {
    this.clock.advanceMs(moment.getTime() - this.clock.unixMs);
    this.#tell({ kind: 'clock' });
  }

  /** Lets time run at its own pace. */
  resumeClock(): void {
    this.clock.run();
    this.#tell({ kind: 'clock' });
  }

  pauseClock(): void {
    this.clock.pause();
    this.#tell({ kind: 'clock' });
  }

  /** The account at an address, or null. Its data are not to be written to. */
  getAccount(address: Address): AccountState | null {
    return this.accounts.find(address) ?? null;
  }

  /** Every account, to read from, with the Clock sysvar as it is now. */
  get accounts(): Pick<AccountStore, 'find' | 'ownedBy' | 'written'> {
    this.#setClock();
    return this.#ledger.store;
  }

  /**
   * Puts an account in place, whole or the parts given; zero lamports remove it.
   * @throws {RangeError} for a sysvar, which the chain itself keeps
   */
  setAccount(address: Address, parts: Partial<AccountState>): void {
    const before = this.#ledger.store.read(address);
    if (before.owner === SYSVAR_OWNER)
      throw new RangeError(`${address} is a sysvar: the chain itself keeps it.`);
    this.#ledger.store.write(address, { ...before, ...parts });
    this.#tell({ kind: 'set', touched: [address] });
  }

  /**
   * Puts the associated token account of an owner in place, creating it if need be. A new balance comes out of nothing or
   * goes there, and the mint's supply with it.
   * @returns the account's address
   * @throws {RangeError} when the token program does not make such an account, or the supply would leave 64 bits
   */
  setTokenAccount(
    owner: Address,
    mint: Address,
    update: TokenAccountUpdate,
    tokenProgram: Address = TOKEN_PROGRAM,
  ): Address {
    this.#setClock();
    const { store } = this.#ledger;
    const { address, error } = this.#ledger.createTokenAccount(owner, mint, tokenProgram);
    const token = readTokenAccount(store.read(address));
    if (error !== null || token === null) {
      throw new RangeError(`No token account of mint ${mint} can be made: ${JSON.stringify(error)}.`);
    }
    if (update.amount !== undefined) {
      if (token.nativeReserve === null) this.#addSupply(mint, update.amount - token.amount);
      else this.#addLamports(address, update.amount - token.amount);
    }
    const account = store.read(address);
    this.setAccount(address, { data: updateTokenAccount(account.data, update) });
    return address;
  }

  /** Gives an account lamports out of nothing, by a transaction like any other. @returns its signature */
  airdrop(address: Address, lamports: bigint): string {
    const airdrop = buildAirdrop(address, lamports, this.latestBlockhash().blockhash);
    this.setAccount(airdrop.faucet, { lamports: airdrop.needs });
    const { signature, error } = this.send(airdrop.wire);
    if (error !== null)
      throw new RangeError(`The airdrop of ${lamports} lamports failed: ${JSON.stringify(error)}.`);
    return signature;
  }

  /**
   * Sends a transaction without trying it first, so that one that fails lands and pays its fee.
   * @param sent the transaction, its bytes, or them in base64
   * @throws {MalformedTransaction} for bytes that are no transaction
   */
  send(sent: SentTransaction): TransactionResult {
    return this.#admit(sent, (landing) => this.#keep(landing));
  }

  /** Sends a transaction only if it would succeed, as a node does that was not told to skip its preflight. */
  sendChecked(sent: SentTransaction): TransactionResult {
    return this.#admit(sent, (landing) => {
      if (landing.processed.error === null) return this.#keep(landing);
      this.#ledger.undo();
      return false;
    });
  }

  /**
   * Runs a transaction and undoes it. Its signatures may be missing; its blockhash may not.
   * @param look is called with a way to read the accounts as the transaction left them
   */
  simulate(sent: SentTransaction, look?: (find: AccountStore['find']) => void): TransactionResult {
    const transaction = decode(sent);
    return this.#enter(transaction, this.#staleness(transaction), () => {
      look?.((address) => this.#ledger.store.find(address));
      this.#ledger.undo();
      return false;
    });
  }

  /** Calls back after every change; the time passing of itself is none. @returns a function that stops it */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #addSupply(address: Address, amount: bigint): void {
    const account = this.#ledger.store.read(address);
    const supply = (readMint(account)?.supply ?? 0n) + amount;
    if (supply < 0n || supply > U64_MAX)
      throw new RangeError(`The supply of ${address} would become ${supply}.`);
    this.setAccount(address, { data: updateSupply(account.data, supply) });
  }

  #addLamports(address: Address, amount: bigint): void {
    const { lamports } = this.#ledger.store.read(address);
    this.setAccount(address, { lamports: lamports + amount });
  }

  #admit(sent: SentTransaction, decide: Decide): TransactionResult {
    const transaction = decode(sent);
    return this.#enter(transaction, signatureError(transaction) ?? this.#staleness(transaction), decide);
  }

  /** The checks of the door that need the chain, in the order of program.md section 11. */
  #staleness(transaction: Transaction): TransactionError | null {
    if (!this.blockhashIsValid(transaction.blockhash)) return 'BlockhashNotFound';
    return this.history.find(transaction.signature) === undefined ? null : 'AlreadyProcessed';
  }

  #enter(transaction: Transaction, refusal: TransactionError | null, decide: Decide): TransactionResult {
    const { signature } = transaction;
    const clock = this.#setClock();
    if (refusal !== null) {
      return { signature, landed: false, error: refusal, logs: [], slot: clock.slot, processed: null };
    }
    const processed = this.#ledger.process(transaction, clock);
    const { error, logs } = processed;
    const landed = decide({ transaction, processed, slot: clock.slot, blockTime: clock.unixTimestamp });
    return { signature, landed, error, logs, slot: clock.slot, processed };
  }

  #keep(landed: LandedTransaction): boolean {
    const touched = this.#ledger.keep();
    if (!landed.processed.landed) return false;
    this.history.add(landed, ({ transaction: { blockhash } }) => this.blockhashIsValid(blockhash));
    this.#tell({ kind: 'landed', landed, touched });
    return true;
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Brings the Clock sysvar up to date. */
  #setClock(): RuntimeClock {
    const sysvar = this.clock.sysvar();
    const to = `${sysvar.slot} ${sysvar.unixTimestamp}`;
    if (this.#clockSetTo !== to) {
      this.#native.setClock(sysvar);
      this.#clockSetTo = to;
    }
    return sysvar;
  }
}

/** A transaction, its bytes, or them in base64. */
export type SentTransaction = Transaction | Uint8Array | string;

/** Keeps or undoes what was processed, and says whether it landed. */
type Decide = (landing: LandedTransaction) => boolean;

function decode(sent: SentTransaction): Transaction {
  if (typeof sent === 'string') return decodeTransaction(Buffer.from(sent, 'base64'));
  return sent instanceof Uint8Array ? decodeTransaction(sent) : sent;
}
