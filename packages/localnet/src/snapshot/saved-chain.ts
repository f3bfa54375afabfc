import type { Address } from '@solana/kit';
import type { LandedTransaction } from '../history.js';
import type { AccountState } from '../runtime/program.js';
import type { SlotStart } from '../time/chain-clock.js';

/** Everything a chain is, apart from the programs it runs: those are chosen anew each time it starts. */
export interface SavedChain {
  readonly lamportsPerByte: bigint;
  readonly firstSlot: bigint;
  readonly seed: Uint8Array;
  /** The machine's own time when `clock` was read, in milliseconds since the Unix epoch. */
  readonly savedAt: number;
  readonly clock: {
    readonly jumps: readonly [SlotStart, ...SlotStart[]];
    readonly sinceJump: number;
  };
  readonly transactionCount: bigint;
  readonly firstCompleteSlot: bigint | null;
  readonly accounts: readonly (readonly [Address, AccountState])[];
  /** Oldest first. */
  readonly history: readonly LandedTransaction[];
}
