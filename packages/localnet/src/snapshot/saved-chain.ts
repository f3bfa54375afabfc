import type { Address } from '@solana/kit';
import type { LandedTransaction } from '../history.js';
import type { AccountState } from '../runtime/program.js';
import type { SlotStart } from '../time/chain-clock.js';

/** Everything a chain is, apart from the programs it runs: those are chosen anew each time it starts. */
export interface SavedChain {
  readonly lamportsPerByte: bigint;
  readonly firstSlot: bigint;
  readonly seed: Uint8Array;
  readonly clock: {
    readonly jumps: readonly [SlotStart, ...SlotStart[]];
    readonly sinceJump: number;
  };
  /** Heights whose blockhashes were handed out. */
  readonly blockhashHeights: readonly bigint[];
  readonly transactionCount: bigint;
  readonly firstCompleteSlot: bigint | null;
  readonly accounts: readonly (readonly [Address, AccountState])[];
  /** Oldest first. */
  readonly history: readonly LandedTransaction[];
}
