import type { Address } from '@solana/kit';
import type { Program } from './runtime/program.js';

/** How a local chain starts. Every option has a default. */
export interface LocalnetOptions {
  /** Seconds since the Unix epoch at which the chain begins. Default: the first second of 2026. */
  readonly unixTime?: bigint;
  /**
   * The Subscriptions program: its ELF as bytes, the path of the ELF file, or a program written in TypeScript. Default:
   * this package's own.
   */
  readonly program?: Program | Uint8Array | string;
  /** Further programs written in TypeScript, by address. */
  readonly programs?: ReadonlyMap<Address, Program>;
  /** Lamports of rent for each byte of an account. Default 6,960. */
  readonly lamportsPerByte?: bigint;
  /**
   * 32 bytes from which all blockhashes follow: chains with the same seed have the same blockhashes. Default: random.
   */
  readonly seed?: Uint8Array;
  /**
   * When the chain closes a block. `'transaction'`, the default: after every transaction that lands and every account set
   * from outside, without time passing, and at the end of each slot of the clock. No two transactions then share a slot,
   * and at most 150 can land on one blockhash. `'clock'`: only at the end of each slot of the clock, as on a cluster, so
   * that any number of transactions share a slot and a blockhash; what lands is `processed`, and `confirmed` only when
   * the clock has moved on.
   */
  readonly closeBlocks?: 'transaction' | 'clock';
  /** How many landed transactions are kept. Default 10,000. Those whose blockhash is still valid are always kept. */
  readonly historyLimit?: number;
  /**
   * The time source of a running clock: milliseconds since any fixed moment, never going back. Default: the process's
   * monotonic clock.
   */
  readonly monotonicMs?: () => number;
}
