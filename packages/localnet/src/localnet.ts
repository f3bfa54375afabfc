import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import { subscriptionsProgram } from './program/index.js';
import { History, type LandedTransaction } from './history.js';
import { SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM } from './runtime/addresses.js';
import { Ledger, type Processed } from './runtime/ledger.js';
import { NativeRuntime } from './runtime/native-runtime.js';
import type { AccountState, Program } from './runtime/program.js';
import { signaturesAreValid } from './runtime/signatures.js';
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

/** What became of a transaction that was sent. */
export interface SendResult {
  readonly signature: string;
  /** False when it was turned away at the door: the chain knows nothing of it and took no fee. */
  readonly landed: boolean;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly slot: bigint;
  readonly processed: Processed | null;
}

const DEFAULT_UNIX_TIME = 1_767_225_600n;
const DEFAULT_LAMPORTS_PER_BYTE = 6_960n;
const DEFAULT_HISTORY_LIMIT = 10_000;

/** A Solana in one process, its clock standing still until told to run or to jump. */
export function createLocalnet(options: LocalnetOptions = {}): Localnet {
  return new Localnet(options);
}

export class Localnet {
  readonly lamportsPerByte: bigint;
  readonly clock: ChainClock;
  readonly history: History;
  readonly blockhashes: Blockhashes;
  readonly #firstSlot: bigint;
  readonly #native: NativeRuntime;
  readonly #ledger: Ledger;
  #clockSetAt: string | null = null;

  constructor(options: LocalnetOptions) {
    const { program = subscriptionsProgram } = options;
    this.lamportsPerByte = options.lamportsPerByte ?? DEFAULT_LAMPORTS_PER_BYTE;
    const elves = new Map<Address, Uint8Array>();
    const programs = new Map(options.programs);
    if (typeof program === 'function') programs.set(SUBSCRIPTIONS_PROGRAM, program);
    else elves.set(SUBSCRIPTIONS_PROGRAM, typeof program === 'string' ? readFileSync(program) : program);
    this.#native = new NativeRuntime(this.lamportsPerByte, elves);
    this.#ledger = new Ledger(this.#native, programs, this.lamportsPerByte);
    this.#firstSlot = this.#native.firstSlot;
    const start = { slot: this.#firstSlot, unixMs: Number(options.unixTime ?? DEFAULT_UNIX_TIME) * 1000 };
    this.clock = new ChainClock([start], 0, options.monotonicMs ?? (() => performance.now()));
    this.blockhashes = new Blockhashes(options.seed ?? randomBytes(32));
    this.history = new History(options.historyLimit ?? DEFAULT_HISTORY_LIMIT);
  }

  /** Every slot since the first has its block, so heights run with slots, but lower: the two are not to be mixed up. */
  get blockHeight(): bigint {
    return this.clock.slot - this.#firstSlot;
  }

  /** The chain's wall clock. */
  now(): Date {
    return new Date(this.clock.unixMs);
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    const blockhash = this.blockhashes.at(this.blockHeight);
    return { blockhash, lastValidBlockHeight: this.blockhashes.lastValidHeight(blockhash) ?? 0n };
  }

  /** Jumps forward: `seconds` and `slots` alone move the other along (2.5 slots a second), together they move apart. */
  advance({ seconds, slots }: { readonly seconds?: number; readonly slots?: number }): void {
    if (seconds !== undefined && slots !== undefined) this.clock.jump(seconds * 1000, BigInt(slots));
    else if (seconds !== undefined) this.clock.advanceMs(seconds * 1000);
    else if (slots !== undefined) this.clock.advanceSlots(BigInt(slots));
  }

  /** The account at an address, or null. Its data are not to be written to. */
  getAccount(address: Address): AccountState | null {
    this.#setClock();
    return this.#ledger.store.find(address) ?? null;
  }

  /** Puts an account in place, whole or the parts given; zero lamports remove it. */
  setAccount(address: Address, parts: Partial<AccountState>): void {
    const before = this.#ledger.store.read(address);
    this.#ledger.store.write(address, { ...before, ...parts });
  }

  /** Gives an account lamports out of nothing. */
  airdrop(address: Address, lamports: bigint): void {
    const before = this.#ledger.store.read(address);
    this.setAccount(address, { owner: before.owner ?? SYSTEM_PROGRAM, lamports: before.lamports + lamports });
  }

  /**
   * Sends a transaction without simulating it first, so that one that fails lands and pays its fee.
   * @param wire the transaction's bytes, or them in base64
   * @throws {MalformedTransaction} for bytes that are no transaction
   */
  send(wire: Uint8Array | string): SendResult {
    const transaction = decodeTransaction(typeof wire === 'string' ? Buffer.from(wire, 'base64') : wire);
    const refusal = this.#refusal(transaction);
    const { signature } = transaction;
    const { slot } = this.clock;
    if (refusal !== null) {
      return { signature, landed: false, error: refusal, logs: [], slot, processed: null };
    }
    const processed = this.#ledger.execute(transaction, this.#setClock());
    if (processed.landed)
      this.#remember({ transaction, processed, slot, blockTime: this.clock.unixTimestamp });
    return {
      signature,
      landed: processed.landed,
      error: processed.error,
      logs: processed.logs,
      slot,
      processed,
    };
  }

  /** The checks at the door, in the order of program.md section 11. */
  #refusal(transaction: Transaction): TransactionError | null {
    if (!signaturesAreValid(transaction)) return 'SignatureFailure';
    if (!this.#blockhashIsValid(transaction.blockhash)) return 'BlockhashNotFound';
    return this.history.find(transaction.signature) === undefined ? null : 'AlreadyProcessed';
  }

  #blockhashIsValid(blockhash: string): boolean {
    const lastValid = this.blockhashes.lastValidHeight(blockhash);
    return lastValid !== null && this.blockHeight <= lastValid;
  }

  #remember(landed: LandedTransaction): void {
    this.history.add(landed, ({ transaction }) => this.#blockhashIsValid(transaction.blockhash));
  }

  /** Brings the Clock sysvar up to date. */
  #setClock(): { slot: bigint; unixTimestamp: bigint } {
    const sysvar = this.clock.sysvar();
    const at = `${sysvar.slot} ${sysvar.unixTimestamp}`;
    if (this.#clockSetAt !== at) {
      this.#native.setClock(sysvar);
      this.#clockSetAt = at;
    }
    return sysvar;
  }
}
