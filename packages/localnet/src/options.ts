import type { Address } from '@solana/kit';
import type { Program } from './runtime/program.js';

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
