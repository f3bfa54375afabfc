import type { Clock } from '@subrail/core/ports';
import { StaleResponse } from './response-fields.js';

export type Commitment = 'confirmed' | 'finalized';

/** How long a slot once seen binds later answers. Were it for ever, one lie about the future would silence the chain. */
const BINDS_MS = 60_000;
/** Slots by which what is finalized may trail what is confirmed; usually some 32. */
const FINALITY_TRAILS = 150n;

/** Keeps what is read from going back in time when endpoints, or the nodes behind one, are not equally far. */
export interface SlotFloor {
  /** The slot below which an answer is refused, as a request's `minContextSlot`. */
  at(commitment: Commitment): { minContextSlot?: bigint };
  /** Throws LateAnswer for a slot below the floor; a confirmed one becomes the floor. */
  admit(commitment: Commitment, slot: bigint): void;
}

export function createSlotFloor(clock: Clock): SlotFloor {
  let confirmed = { slot: 0n, seenAt: 0 };
  const lowest = (commitment: Commitment): bigint => {
    if (clock.now().getTime() - confirmed.seenAt > BINDS_MS) return 0n;
    const slot = commitment === 'confirmed' ? confirmed.slot : confirmed.slot - FINALITY_TRAILS;
    return slot > 0n ? slot : 0n;
  };
  return {
    at: (commitment) => {
      const slot = lowest(commitment);
      return slot === 0n ? {} : { minContextSlot: slot };
    },
    admit: (commitment, slot) => {
      if (slot < lowest(commitment)) throw new StaleResponse();
      if (commitment === 'confirmed') confirmed = { slot, seenAt: clock.now().getTime() };
    },
  };
}
