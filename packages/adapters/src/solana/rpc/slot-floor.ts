import type { Clock } from '@subrail/core';
import { LateAnswer } from './answers.js';

export type Commitment = 'confirmed' | 'finalized';

/** How long a slot once seen binds later answers. Were it for ever, one lie about the future would silence the chain. */
const BINDS_MS = 60_000;

/** Keeps what is read from going back in time when endpoints, or the nodes behind one, are not equally far. */
export interface SlotFloor {
  /** The slot below which an answer is refused, as a request's `minContextSlot`. */
  at(commitment: Commitment): { minContextSlot?: bigint };
  /** Throws LateAnswer for a slot below the floor, else makes it the floor. */
  admit(commitment: Commitment, slot: bigint): void;
}

export function createSlotFloor(clock: Clock): SlotFloor {
  const floors: Record<Commitment, { slot: bigint; seenAt: number }> = {
    confirmed: { slot: 0n, seenAt: 0 },
    finalized: { slot: 0n, seenAt: 0 },
  };
  const bindingSlot = (commitment: Commitment) => {
    const { slot, seenAt } = floors[commitment];
    return clock.now().getTime() - seenAt <= BINDS_MS ? slot : 0n;
  };
  return {
    at: (commitment) => {
      const slot = bindingSlot(commitment);
      return slot === 0n ? {} : { minContextSlot: slot };
    },
    admit: (commitment, slot) => {
      if (slot < bindingSlot(commitment)) throw new LateAnswer();
      floors[commitment] = { slot, seenAt: clock.now().getTime() };
    },
  };
}
