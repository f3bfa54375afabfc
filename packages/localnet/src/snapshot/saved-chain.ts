import type { Address } from '@solana/kit';
import type { LandedTransaction } from '../history.js';
import type { AccountState } from '../runtime/program.js';
import type { SlotStart } from '../time/chain-clock.js';

/** The whole state of a chain, without the programs given in its options, which are chosen each time it starts. */
export interface SavedChain {
  readonly lamportsPerByte: bigint;
  readonly firstSlot: bigint;
  readonly seed: Uint8Array;
  /** When `clock` was read, by the machine's clock, in milliseconds since the Unix epoch. */
  readonly savedAt: number;
  readonly clock: {
    /** The start of the chain and its jumps since, oldest first. */
    readonly jumps: readonly [SlotStart, ...SlotStart[]];
    /** The milliseconds that passed since the last jump. */
    readonly sinceJump: number;
  };
  /** How many transactions have landed since the chain began. */
  readonly transactionCount: bigint;
  /** The first slot whose transactions are all kept; null while none was ever dropped. */
  readonly firstCompleteSlot: bigint | null;
  readonly accounts: readonly (readonly [Address, AccountState])[];
  /** The transactions that are kept, oldest first. */
  readonly history: readonly LandedTransaction[];
}
