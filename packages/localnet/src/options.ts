import type { Address } from '@solana/kit';
import type { Program } from './runtime/program.js';

/** The optional settings of a local chain. */
export interface LocalnetOptions {
  /** Seconds since the Unix epoch at which the chain begins. Default: the first second of 2026. */
  readonly unixTime?: bigint;
  /** The Subscriptions program: its ELF, the path of one, or TypeScript. Default: this package's own. */
  readonly program?: Program | Uint8Array | string;
  /** Further programs written in TypeScript, by address. */
  readonly programs?: ReadonlyMap<Address, Program>;
  /** Lamports of rent for each byte of an account. Default 6,960. */
  readonly lamportsPerByte?: bigint;
  /** 32 bytes from which all blockhashes follow. Default: random. */
  readonly seed?: Uint8Array;
  /**
   * When the chain closes a block, besides the end of each slot of the clock. `'transaction'`, the default:
   * also after every landed transaction and account set from outside, without time passing. No two
   * transactions then share a slot, and at most 150 land on a blockhash. `'clock'`: at no other time, as on a
   * cluster; a landed transaction is `confirmed` only when the clock has moved on.
   */
  readonly closeBlocks?: 'transaction' | 'clock';
  /** The most landed transactions in the history, besides those with a valid blockhash. Default 10,000. */
  readonly historyLimit?: number;
  /** Milliseconds of a clock that is never set. Default: the process's monotonic clock. */
  readonly monotonicMs?: () => number;
}
