import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { Change, ChangeListener } from './change.js';
import { buildAirdrop } from './faucet.js';
import { History, type LandedTransaction } from './history.js';
import type { LocalnetOptions } from './options.js';
import { subscriptionsProgram } from './program/index.js';
import type { AccountStore } from './runtime/account-store.js';
import { SUBSCRIPTIONS_PROGRAM, SYSVAR_OWNER, TOKEN_PROGRAM } from './runtime/addresses.js';
import { Ledger } from './runtime/ledger.js';
import { NativeRuntime } from './runtime/native-runtime.js';
import type { AccountState, RuntimeClock } from './runtime/program.js';
import { signatureError } from './runtime/signatures.js';
import type { TokenAccountUpdate } from './runtime/token-layout.js';
import { decodeTransaction, type Transaction } from './runtime/transaction.js';
import type { TransactionError } from './runtime/transaction-error.js';
import { readChainFile, writeChainFile } from './snapshot/chain-file.js';
import type { SavedChain } from './snapshot/saved-chain.js';
import { putTokenAccount } from './token-account.js';
import type { TransactionResult } from './transaction-result.js';
import { BLOCKHASH_LIFETIME, Blockhashes } from './time/blockhashes.js';
import { ChainClock } from './time/chain-clock.js';

const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** A billion SOL: more than there are. */
const MAX_AIRDROP = 1_000_000_000_000_000_000n;
const DEFAULT_UNIX_TIME = 1_767_225_600n;
const DEFAULT_LAMPORTS_PER_BYTE = 6_960n;
const DEFAULT_HISTORY_LIMIT = 10_000;

/** A Solana in one process, its clock standing still until told to run or to jump. */
export function createLocalnet(options: LocalnetOptions = {}): Localnet {
  return new Localnet(options);
}

/** What is chosen anew when a chain is restored: it brings its own time, rent and seed with it. */
export type RestoreOptions = Omit<LocalnetOptions, 'unixTime' | 'lamportsPerByte' | 'seed'>;

/**
 * The chain in a file written by `save`, its clock standing still at the moment it was saved.
 * @throws {UnreadableChain} for a file that is no whole chain; what reading it threw when there is none
 */
export async function restoreLocalnet(path: string, options: RestoreOptions = {}): Promise<Localnet> {
  return new Localnet(options, await readChainFile(path));
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
  /** The machine's own time at which the chain was saved from which this one carries on; null for a new chain. */
  readonly savedAt: Date | null;
  readonly #native: NativeRuntime;
  readonly #ledger: Ledger;
  readonly #listeners = new Set<ChangeListener>();
  #clockSetTo = '';
  #saving: Promise<void> = Promise.resolve();

  /** @param saved what the chain goes on from, when it is not a new one */
  constructor(options: LocalnetOptions, saved?: SavedChain) {
    const { program = subscriptionsProgram } = options;
    this.lamportsPerByte = saved?.lamportsPerByte ?? options.lamportsPerByte ?? DEFAULT_LAMPORTS_PER_BYTE;
    const elves = new Map<Address, Uint8Array>();
    const programs = new Map(options.programs);
    if (typeof program === 'function') programs.set(SUBSCRIPTIONS_PROGRAM, program);
    else elves.set(SUBSCRIPTIONS_PROGRAM, typeof program === 'string' ? readFileSync(program) : program);
    this.#native = new NativeRuntime(this.lamportsPerByte, elves);
    this.#ledger = new Ledger(this.#native, programs, this.lamportsPerByte);
    this.firstSlot = saved?.firstSlot ?? this.#native.firstSlot;
    this.savedAt = saved === undefined ? null : new Date(saved.savedAt);
    const start = { slot: this.firstSlot, unixMs: Number(options.unixTime ?? DEFAULT_UNIX_TIME) * 1000 };
    const { jumps, sinceJump } = saved?.clock ?? { jumps: [start] as const, sinceJump: 0 };
    this.clock = new ChainClock(jumps, sinceJump, options.monotonicMs ?? (() => performance.now()));
    this.blockhashes = new Blockhashes(saved?.seed ?? options.seed ?? randomBytes(32));
    const historyLimit = options.historyLimit ?? DEFAULT_HISTORY_LIMIT;
    this.history = new History(historyLimit, saved?.transactionCount, saved?.firstCompleteSlot);
    // A program that was deployed by transactions is loaded when its account is written: its data must be there by then.
    const accounts = [...(saved?.accounts ?? [])].sort(
      ([, a], [, b]) => Number(a.executable) - Number(b.executable),
    );
    for (const [address, account] of accounts) this.#ledger.store.write(address, account);
    for (const landed of saved?.history ?? []) this.history.restore(landed);
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
    const height = this.blockHeight;
    return {
      blockhash: this.blockhashes.at(height),
      lastValidBlockHeight: height + BLOCKHASH_LIFETIME,
    };
  }

  blockhashIsValid(blockhash: string): boolean {
    return this.blockhashes.mayLand(blockhash, this.blockHeight);
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
   * @throws {RangeError} for a sysvar, which the chain itself keeps, and for a program
   */
  setAccount(address: Address, parts: Partial<AccountState>): void {
    const before = this.#ledger.store.read(address);
    if (before.owner === SYSVAR_OWNER)
      throw new RangeError(`${address} is a sysvar: the chain itself keeps it.`);
    if (before.executable || parts.executable === true) {
      throw new RangeError(
        `${address} is a program, or is to be one: a chain's programs are chosen when it starts.`,
      );
    }
    const { lamports = before.lamports } = parts;
    if (lamports < 0n || lamports > U64_MAX) {
      throw new RangeError(`${lamports} lamports are no 64-bit amount.`);
    }
    this.#ledger.store.write(address, { ...before, ...parts });
    this.#tell({ kind: 'set', touched: [address] });
  }

  /**
   * Puts the associated token account of an owner in place, creating it if need be. A new balance comes out of nothing or
   * goes there, and the mint's supply with it.
   * @returns the account's address
   * @throws {RangeError} when the token program does not make such an account, or the supply or lamports would leave 64 bits; the
   * chain is then as it was
   */
  setTokenAccount(
    owner: Address,
    mint: Address,
    update: TokenAccountUpdate,
    tokenProgram: Address = TOKEN_PROGRAM,
  ): Address {
    this.#setClock();
    const place = { owner, mint, tokenProgram };
    const touched = this.#ledger.atOnce(() => putTokenAccount(this.#ledger, place, update));
    this.#tell({ kind: 'set', touched });
    return touched[0];
  }

  /**
   * Gives an account lamports out of nothing, by a transaction like any other.
   * @returns its signature
   * @throws {RangeError} for too many or, to a new account, too few to pay its rent
   */
  airdrop(address: Address, lamports: bigint): string {
    if (lamports < 0n || lamports > MAX_AIRDROP) {
      throw new RangeError(`An airdrop has at most ${MAX_AIRDROP} lamports.`);
    }
    const airdrop = buildAirdrop(address, lamports, this.latestBlockhash().blockhash);
    this.setAccount(airdrop.faucet, { lamports: airdrop.needs });
    const { signature, error } = this.sendChecked(airdrop.wire);
    if (error === null) return signature;
    this.setAccount(airdrop.faucet, { lamports: 0n });
    throw new RangeError(`The airdrop of ${lamports} lamports failed: ${JSON.stringify(error)}.`);
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
      try {
        look?.((address) => this.#ledger.store.find(address));
      } finally {
        this.#ledger.undo();
      }
      return false;
    });
  }

  /**
   * Writes the whole chain to a file, from which `restoreLocalnet` carries it on. The file is replaced at once or not at all,
   * and one save waits for the other. What costs is the number of accounts and transactions, not how much of it is new.
   */
  save(path: string): Promise<void> {
    const saved = this.#saving.then(() => writeChainFile(path, this.#snapshot()));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  /** Calls back after every change; the time passing of itself is none. @returns a function that stops it */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #snapshot(): SavedChain {
    const { lamportsPerByte, firstSlot, history, blockhashes } = this;
    return {
      lamportsPerByte,
      firstSlot,
      seed: blockhashes.seed,
      // Before the clock: a chain that is taken up again may gain the moment in between, but not lose it.
      savedAt: Date.now(),
      clock: this.clock.snapshot(),
      transactionCount: history.total,
      firstCompleteSlot: history.firstCompleteSlot,
      accounts: [...this.#ledger.store.written()],
      history: [...history.oldestFirst()],
    };
  }

  #admit(sent: SentTransaction, decide: Decide): TransactionResult {
    const transaction = decode(sent);
    return this.#enter(transaction, signatureError(transaction) ?? this.#staleness(transaction), decide);
  }

  /** The checks of the door that need the chain, in the order of program#transaction-admission. */
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
