import type { Address } from '@solana/kit';
import { toAddress } from '../../runtime/base58.js';
import type { RuntimeInstruction } from '../../runtime/program.js';
import { bytes, withAccount, withFlags } from './instruction-builders.js';
import { type Scenario, type Fixtures, type World, scenario } from './fixtures.js';

/** An instruction with faults: the world in which it will run, and the edits that make it faulty. */
export interface Draft {
  readonly w: World;
  readonly edits: ((of: RuntimeInstruction) => RuntimeInstruction)[];
}

/** One fault, and the error that it causes on its own. */
export type Fault = readonly [error: number | string, apply: (draft: Draft) => void];

/**
 * Applies all faults at once and repairs them one after the other: each time the first remaining fault must
 * decide the error, so the faults stand in the order of the program's checks. Without faults the instruction
 * succeeds.
 */
export function decidesInOrder(
  name: string,
  open: (fixtures: Fixtures) => World,
  instruction: (w: World) => RuntimeInstruction,
  faults: readonly Fault[],
): Scenario {
  return scenario(name, (fixtures) => {
    for (let repaired = 0; repaired <= faults.length; repaired++) {
      const w = open(fixtures);
      const intact = instruction(w);
      const draft: Draft = { w, edits: [] };
      // Applied from last to first: where two change the same bytes, those of the earlier check remain.
      for (const [, apply] of faults.slice(repaired).reverse()) apply(draft);
      const faulty = draft.edits.reduce((instruction, edit) => edit(instruction), intact);
      const fault = faults[repaired];
      if (fault === undefined) w.ok(faulty);
      else w.fails(fault[0], faulty);
    }
  });
}

// Faults of the instruction itself

export const account =
  (place: number, other: (w: World) => Address) =>
  ({ w, edits }: Draft): void =>
    void edits.push((instruction) => withAccount(instruction, place, other(w)));

/**
 * Replaces an account with an address that has none. Each place has its own address, because equal addresses
 * in a transaction have equal flags.
 */
export const missing = (place: number) =>
  account(place, () => toAddress(new Uint8Array(32).fill(200 + place)));

export const unsigned =
  (place: number) =>
  ({ edits }: Draft): void =>
    void edits.push((instruction) => withFlags(instruction, place, { isSigner: false }));

export const readonly =
  (place: number) =>
  ({ edits }: Draft): void =>
    void edits.push((instruction) => withFlags(instruction, place, { isWritable: false }));

/** Leaves out the last account. */
export const tooFew = ({ edits }: Draft): void =>
  void edits.push((instruction) => ({ ...instruction, accounts: instruction.accounts.slice(0, -1) }));

/** Replaces bytes of the instruction's data; its selector is at 0. */
export const data =
  (at: number, value: (w: World) => Uint8Array) =>
  ({ w, edits }: Draft): void =>
    void edits.push((instruction) => ({
      ...instruction,
      data: bytes(
        instruction.data.subarray(0, at),
        value(w),
        instruction.data.subarray(at + value(w).length),
      ),
    }));

/** Appends a byte to the data, which the payload does not have. */
export const payloadTooLong = ({ edits }: Draft): void =>
  void edits.push((instruction) => ({ ...instruction, data: bytes(instruction.data, 0) }));

// Faults of the accounts it uses

export const patched =
  (of: (w: World) => Address, at: number, value: (w: World) => Uint8Array) =>
  ({ w }: Draft): void =>
    w.patch(of(w), at, value(w));

export const changed =
  (change: (w: World) => void) =>
  ({ w }: Draft): void =>
    change(w);
