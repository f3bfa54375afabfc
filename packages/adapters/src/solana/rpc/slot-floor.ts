import { StaleResponse } from './response-fields.js';

/** The finality of a state that is read. */
export type Commitment = 'confirmed' | 'finalized';

/**
 * The lifetime of a floor. Without an end, one false slot in the future would block every read, and an
 * endpoint far ahead would shut out the preferred one.
 */
const FLOOR_LIFETIME_MS = 60_000;
/** The most slots by which finalized may trail confirmed; usually it is about 32. */
const FINALITY_LAG = 150n;

/** Keeps reads from going back in time when nodes are at different slots. */
export interface SlotFloor {
  /** The lowest slot to accept, as the `minContextSlot` of a request. */
  at(commitment: Commitment): { minContextSlot?: bigint };
  /** Throws StaleResponse for a slot below the floor. A confirmed slot becomes the new floor. */
  admit(commitment: Commitment, slot: bigint): void;
}

/** Creates a floor that begins at slot 0. `elapsed` gives milliseconds of a clock that is never set. */
export function createSlotFloor(elapsed: () => number): SlotFloor {
  let floor = { slot: 0n, since: -Infinity };
  const ended = () => elapsed() - floor.since > FLOOR_LIFETIME_MS;
  const lowest = (commitment: Commitment): bigint => {
    if (ended()) return 0n;
    const slot = commitment === 'confirmed' ? floor.slot : floor.slot - FINALITY_LAG;
    return slot > 0n ? slot : 0n;
  };
  return {
    at: (commitment) => {
      const slot = lowest(commitment);
      return slot === 0n ? {} : { minContextSlot: slot };
    },
    admit: (commitment, slot) => {
      if (slot < lowest(commitment)) throw new StaleResponse();
      if (commitment === 'confirmed') floor = { slot, since: ended() ? elapsed() : floor.since };
    },
  };
}
