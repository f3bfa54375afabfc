import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { Change, ChangeListener } from './change.js';
import { buildAirdrop } from './faucet.js';
import { History, type LandedTransaction } from './history.js';
import type { LocalnetOptions } from './options.js';
import { subscriptionsProgram } from './program/program.js';
import type { AccountStore } from './runtime/account-store.js';
import { SUBSCRIPTIONS_PROGRAM, SYSVAR_OWNER, TOKEN_PROGRAM } from './runtime/addresses.js';
import { Ledger } from './runtime/ledger.js';
import { NativeRuntime, type SlotHashes } from './runtime/native-runtime.js';
import type { AccountState, RuntimeClock } from './runtime/program.js';
import { signatureError } from './runtime/signatures.js';
import type { TokenAccountUpdate } from './runtime/token-layout.js';
import { decodeTransaction, type Transaction } from './runtime/transaction.js';
import type { TransactionError } from './runtime/transaction-error.js';
import { readChainFile, writeChainFile, type SavedChain } from './snapshot/chain-file.js';
import { putTokenAccount } from './token-account.js';
import type { TransactionResult } from './transaction-result.js';
import { BLOCKHASH_LIFETIME, Blockhashes } from './time/blockhashes.js';
import { ChainClock } from './time/chain-clock.js';

const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** A billion SOL, more than the total supply. */
const MAX_AIRDROP = 1_000_000_000_000_000_000n;
const DEFAULT_UNIX_TIME = 1_767_225_600n;
const DEFAULT_LAMPORTS_PER_BYTE = 6_960n;
const DEFAULT_HISTORY_LIMIT = 10_000;
const SLOT_HASHES_KEPT = 512n;

/** Creates a chain in this process. Its clock is paused; `resumeClock`, `advance` and `travelTo` move it. */
export function createLocalnet(options: LocalnetOptions = {}): Localnet {
  return new Localnet(options);
}

/**
 * The options of a restored chain. Time and seed come from the file. Another rent leaves accounts as they
 * are.
 */
export type RestoreOptions = Omit<LocalnetOptions, 'unixTime' | 'seed'>;

/**
 * Restores the chain in a file that `save` wrote, with its clock paused at the moment of saving.
 * @throws {UnreadableChain} for a file that is not a complete saved chain, and the file system's error
 */
export async function restoreLocalnet(path: string, options: RestoreOptions = {}): Promise<Localnet> {
  return new Localnet(options, await readChainFile(path));
}

/**
 * Reads what the time of a chain would be now if it had run on since it was saved.
 * @throws {UnreadableChain} when the file is no complete chain, and the file system's error
 */
export async function readChainTime(path: string): Promise<Date> {
  const { savedAt, clock } = await readChainFile(path);
  const lastJump = clock.jumps.at(-1) ?? clock.jumps[0];
  return new Date(lastJump.unixMs + clock.sinceJump + (Date.now() - savedAt));
}

/** A local chain: its accounts, time, blockhashes and history, and the calls that send transactions to it. */
export class Localnet {
  /** Lamports of rent for each byte of an account. */
  readonly lamportsPerByte: bigint;
  /** The chain's slots and wall clock. Move it by the methods of the chain, which notify listeners. */
  readonly clock: ChainClock;
  /** The transactions that landed. */
  readonly history: History;
  /** The blockhash of each block height. */
  readonly blockhashes: Blockhashes;
  /** The slot of the first block, whose height is 0. */
  readonly firstSlot: bigint;
  /** The machine's time at which the file of a restored chain was saved; null for a new chain. */
  readonly savedAt: Date | null;
  readonly #options: LocalnetOptions;
  readonly #native: NativeRuntime;
  readonly #ledger: Ledger;
  readonly #listeners = new Set<ChangeListener>();
  /** The slot and second that were last written to LiteSVM's Clock sysvar. */
  #clockSetTo = '';
  /** Settles when the save in progress ends; the next save waits for it. */
  #saving: Promise<void> = Promise.resolve();

  /** @param saved the saved chain to continue from; without it a new chain begins */
  constructor(options: LocalnetOptions, saved?: SavedChain) {
    this.#options = options;
    const { program = subscriptionsProgram } = options;
    this.lamportsPerByte = options.lamportsPerByte ?? saved?.lamportsPerByte ?? DEFAULT_LAMPORTS_PER_BYTE;
    const elfFiles = new Map<Address, Uint8Array>();
    const programs = new Map(options.programs);
    if (typeof program === 'function') programs.set(SUBSCRIPTIONS_PROGRAM, program);
    else elfFiles.set(SUBSCRIPTIONS_PROGRAM, typeof program === 'string' ? readFileSync(program) : program);
    this.#native = new NativeRuntime(this.lamportsPerByte, elfFiles);
    this.#ledger = new Ledger(this.#native, programs, this.lamportsPerByte);
    this.firstSlot = saved?.firstSlot ?? this.#native.firstSlot;
    this.savedAt = saved === undefined ? null : new Date(saved.savedAt);
    const start = { slot: this.firstSlot, unixMs: Number(options.unixTime ?? DEFAULT_UNIX_TIME) * 1000 };
    const { jumps, sinceJump } = saved?.clock ?? { jumps: [start] as const, sinceJump: 0 };
    this.clock = new ChainClock(jumps, sinceJump, options.monotonicMs ?? (() => performance.now()));
    this.blockhashes = new Blockhashes(saved?.seed ?? options.seed ?? randomBytes(32));
    const historyLimit = options.historyLimit ?? DEFAULT_HISTORY_LIMIT;
    this.history = new History(historyLimit, saved?.transactionCount, saved?.firstCompleteSlot);
    // LiteSVM loads a program when its executable account is written, so the account of its ELF comes first.
    const accounts = [...(saved?.accounts ?? [])].sort(
      ([, a], [, b]) => Number(a.executable) - Number(b.executable),
    );
    for (const [address, account] of accounts) this.#ledger.store.write(address, account);
    for (const landed of saved?.history ?? []) this.history.restore(landed);
  }

  /** The height of the newest block: the slot minus `firstSlot`. Never use one for the other. */
  get blockHeight(): bigint {
    return this.clock.slot - this.firstSlot;
  }

  /** The chain's wall clock. */
  now(): Date {
    return new Date(this.clock.unixMs);
  }

  /** The newest blockhash, and the last block height at which a transaction with it can land. */
  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    const height = this.blockHeight;
    return {
      blockhash: this.blockhashes.at(height),
      lastValidBlockHeight: height + BLOCKHASH_LIFETIME,
    };
  }

  /** Whether a transaction with this blockhash could land now. */
  blockhashIsValid(blockhash: string): boolean {
    return this.blockhashes.mayLand(blockhash, this.blockHeight);
  }

  /**
   * Jumps forward by seconds, by slots, or by both; a missing number follows at 2.5 slots a second.
   * @throws {RangeError} when either is negative
   */
  advance({ seconds, slots }: { readonly seconds?: number; readonly slots?: number }): void {
    if (seconds !== undefined && slots !== undefined) this.clock.jump(seconds * 1000, BigInt(slots));
    else if (seconds !== undefined) this.clock.advanceMs(seconds * 1000);
    else if (slots !== undefined) this.clock.advanceSlots(BigInt(slots));
    this.#notify({ kind: 'clock' });
  }

  /** Jumps forward to a moment of the chain's wall clock. @throws {RangeError} for a moment in the past */
  travelTo(moment: Date): void {
    this.clock.advanceMs(moment.getTime() - this.clock.unixMs);
    this.#notify({ kind: 'clock' });
  }

  /** Lets the clock run: a slot every 400 ms. */
  resumeClock(): void {
    this.clock.run();
    this.#notify({ kind: 'clock' });
  }

  /** Stops the clock until it is resumed or moved. */
  pauseClock(): void {
    this.clock.pause();
    this.#notify({ kind: 'clock' });
  }

  /** The account at an address, or null. Do not write to its data: use `setAccount`. */
  getAccount(address: Address): AccountState | null {
    return this.accounts.find(address) ?? null;
  }

  /** Every account, read-only, with an up-to-date Clock sysvar. */
  get accounts(): Pick<AccountStore, 'find' | 'ownedBy' | 'written'> {
    this.#setClock();
    return this.#ledger.store;
  }

  /**
   * Creates or changes an account from outside of any transaction. Parts that are missing stay as they are;
   * zero lamports remove the account.
   * @throws {RangeError} for a sysvar, which the chain maintains, a program, and the account of its ELF
   */
  setAccount(address: Address, parts: Partial<AccountState>): void {
    const before = this.#ledger.store.read(address);
    if (before.owner === SYSVAR_OWNER)
      throw new RangeError(`${address} is a sysvar, which only the chain itself writes.`);
    if (before.executable || this.#ledger.store.isOfProgram(address) || parts.executable === true)
      throw new RangeError(
        `${address} is of a program or would become one: a chain's programs are chosen when it starts.`,
      );
    const { lamports = before.lamports } = parts;
    if (lamports < 0n || lamports > U64_MAX)
      throw new RangeError(`An account holds between 0 and ${U64_MAX} lamports, not ${lamports}.`);
    this.#ledger.store.write(address, { ...before, ...parts });
    this.#notifySet([address]);
  }

  /**
   * Creates or changes an owner's associated token account from outside. The mint's supply changes by the
   * difference of the balance.
   * @returns the account's address
   * @throws {RangeError} when the account cannot be created, or supply or lamports would not fit 64 bits
   */
  setTokenAccount(
    owner: Address,
    mint: Address,
    update: TokenAccountUpdate,
    tokenProgram: Address = TOKEN_PROGRAM,
  ): Address {
    this.#setClock();
    const place = { owner, mint, tokenProgram };
    const touched = this.#ledger.atomically(() => putTokenAccount(this.#ledger, place, update));
    this.#notifySet(touched);
    return touched[0];
  }

  /**
   * Creates lamports and transfers them to an account, in a transaction that lands like any other.
   * @returns the transaction's signature
   * @throws {RangeError} for more than a billion SOL and, to a new account, for less than its rent
   */
  airdrop(address: Address, lamports: bigint): string {
    if (lamports < 0n || lamports > MAX_AIRDROP) {
      throw new RangeError(`An airdrop has at most ${MAX_AIRDROP} lamports, not ${lamports}.`);
    }
    const airdrop = buildAirdrop(address, lamports, this.latestBlockhash().blockhash);
    // Written without a notification: the transaction leaves the faucet empty again, whether it lands or not.
    const { store } = this.#ledger;
    const faucet = store.read(airdrop.faucet);
    store.write(airdrop.faucet, { ...faucet, lamports: airdrop.requiredLamports });
    const { signature, error } = this.sendChecked(airdrop.wire);
    if (error === null) return signature;
    store.write(airdrop.faucet, faucet);
    throw new RangeError(`The airdrop of ${lamports} lamports failed: ${JSON.stringify(error)}.`);
  }

  /**
   * Sends a transaction without preflight: one that fails still lands and pays its fee.
   * @param sent the transaction, its bytes, or its bytes in base64
   * @throws {MalformedTransaction} for bytes that are not a transaction
   */
  send(sent: SentTransaction): TransactionResult {
    return this.#admit(sent, (candidate) => this.#commit(candidate));
  }

  /** Sends a transaction with preflight, as a node does by default: it lands only if it succeeds. */
  sendChecked(sent: SentTransaction): TransactionResult {
    return this.#admit(sent, (candidate) => {
      if (candidate.processed.error === null) return this.#commit(candidate);
      this.#ledger.undo();
      return false;
    });
  }

  /**
   * Runs a transaction and undoes it. Its signatures are not checked; its blockhash must be valid.
   * @param inspect called before the undo, with a function that reads accounts as the transaction left them
   */
  simulate(sent: SentTransaction, inspect?: (find: AccountStore['find']) => void): TransactionResult {
    const transaction = decode(sent);
    return this.#run(transaction, this.#replayError(transaction), () => {
      try {
        inspect?.((address) => this.#ledger.store.find(address));
      } finally {
        this.#ledger.undo();
      }
      return false;
    });
  }

  /**
   * Writes the whole chain to a file for `restoreLocalnet`, atomically and after the save in progress. The
   * cost grows with accounts and transactions, however few changed.
   */
  save(path: string): Promise<void> {
    const saved = this.#saving.then(() => writeChainFile(path, this.#snapshot()));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  /** A second chain with this one's state and a paused clock. Neither sees later changes of the other. */
  copy(): Localnet {
    return new Localnet(this.#options, this.#snapshot());
  }

  /**
   * Calls the listener after every change. A running clock's ticks are not changes.
   * @returns a function that removes the listener
   */
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
      // Read before the chain's clock, so that a host that catches up after a restart never jumps too little.
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
    return this.#run(transaction, signatureError(transaction) ?? this.#replayError(transaction), decide);
  }

  /**
   * The error of an invalid blockhash, then of a transaction that has landed; or null
   * (program#transaction-admission).
   */
  #replayError(transaction: Transaction): TransactionError | null {
    if (!this.blockhashIsValid(transaction.blockhash)) return 'BlockhashNotFound';
    return this.history.find(transaction.signature) === undefined ? null : 'AlreadyProcessed';
  }

  #run(transaction: Transaction, rejection: TransactionError | null, decide: Decide): TransactionResult {
    const { signature } = transaction;
    const clock = this.#setClock();
    if (rejection !== null) {
      return { signature, landed: false, error: rejection, logs: [], slot: clock.slot, processed: null };
    }
    const processed = this.#ledger.process(transaction, clock);
    const { error, logs } = processed;
    const landed = decide({ transaction, processed, slot: clock.slot, blockTime: clock.unixTimestamp });
    return { signature, landed, error, logs, slot: clock.slot, processed };
  }

  #commit(landed: LandedTransaction): boolean {
    const touched = this.#ledger.keep();
    if (!landed.processed.landed) return false;
    this.history.add(landed, ({ transaction: { blockhash } }) => this.blockhashIsValid(blockhash));
    this.#closeBlock();
    this.#notify({ kind: 'landed', landed, touched });
    return true;
  }

  #notifySet(touched: readonly Address[]): void {
    const { slot } = this.clock;
    this.#closeBlock();
    this.#notify({ kind: 'set', slot, touched });
  }

  #closeBlock(): void {
    if ((this.#options.closeBlocks ?? 'transaction') === 'transaction') this.clock.closeSlot();
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** The blocks before a slot, newest first; the first block stands for missing ones. */
  #slotHashes(before: bigint): SlotHashes {
    const earlier = before > this.firstSlot ? before - this.firstSlot : 1n;
    const length = Number(earlier < SLOT_HASHES_KEPT ? earlier : SLOT_HASHES_KEPT);
    return Array.from({ length }, (_, ago) => {
      const height = earlier - 1n - BigInt(ago);
      return { slot: this.firstSlot + height, hash: this.blockhashes.at(height) };
    });
  }

  /** Brings the Clock sysvar up to date. */
  #setClock(): RuntimeClock {
    const sysvar = this.clock.sysvar();
    const current = `${sysvar.slot} ${sysvar.unixTimestamp}`;
    if (this.#clockSetTo !== current) {
      this.#native.setClock(sysvar, () => this.#slotHashes(sysvar.slot));
      this.#clockSetTo = current;
    }
    return sysvar;
  }
}

/** A transaction to send: decoded, as bytes, or as bytes in base64. */
export type SentTransaction = Transaction | Uint8Array | string;

/** Keeps or undoes a processed transaction, and returns whether it landed. */
type Decide = (processed: LandedTransaction) => boolean;

function decode(sent: SentTransaction): Transaction {
  if (typeof sent === 'string') return decodeTransaction(Buffer.from(sent, 'base64'));
  return sent instanceof Uint8Array ? decodeTransaction(sent) : sent;
}
