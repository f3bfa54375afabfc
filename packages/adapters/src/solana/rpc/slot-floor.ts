import type { Clock } from '@subrail/core/ports';
import { StaleResponse } from './response-fields.js';

/** How final a state must be to be read. */
export type Commitment = 'confirmed' | 'finalized';

/** How long a seen slot limits later responses. Without an end, one false slot in the future would block every read. */
const FLOOR_LIFETIME_MS = 60_000;
/** The most slots by which finalized may trail confirmed; usually it is about 32. */
const FINALITY_LAG = 150n;

/** Keeps reads from going back in time when endpoints, or the nodes behind one endpoint, are at different slots. */
export interface SlotFloor {
  /** The lowest slot to accept, as the `minContextSlot` of a request. */
  at(commitment: Commitment): { minContextSlot?: bigint };
  /** Throws StaleResponse for a slot below the floor. A confirmed slot becomes the new floor. */
  admit(commitment: Commitment, slot: bigint): void;
}

/** Creates a floor that begins at slot 0. */
export function createSlotFloor(clock: Clock): SlotFloor {
  let confirmed = { slot: 0n, seenAt: 0 };
  const lowest = (commitment: Commitment): bigint => {
    if (clock.now().getTime() - confirmed.seenAt > FLOOR_LIFETIME_MS) return 0n;
    const slot = commitment === 'confirmed' ? confirmed.slot : confirmed.slot - FINALITY_LAG;
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
