import type { Address } from '@solana/kit';
import { toAddress } from '../../runtime/base58.js';
import type { RuntimeInstruction } from '../../runtime/program.js';
import { bytes, withAccount, withFlags } from './instruction-builders.js';
import { type Scenario, type Fixtures, type World, scenario } from './fixtures.js';

/** An instruction in the making: the world it will meet, and what is wrong with itself. */
export interface Draft {
  readonly w: World;
  readonly edits: ((of: RuntimeInstruction) => RuntimeInstruction)[];
}

/** One thing that can be wrong, and the error that it alone leads to. */
export type Fault = readonly [error: number | string, apply: (draft: Draft) => void];

/**
 * Spoils everything at once and then repairs one thing after the other: each time the first fault left decides the error, so
 * the faults must stand in the order of the program's checks. With all repaired the instruction works.
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
      // The last first: where two faults are in the same place, the earlier check must meet its own.
      for (const [, apply] of faults.slice(repaired).reverse()) apply(draft);
      const faulty = draft.edits.reduce((of, edit) => edit(of), intact);
      const fault = faults[repaired];
      if (fault === undefined) w.ok(faulty);
      else w.fails(fault[0], faulty);
    }
  });
}

// What can be wrong with the instruction itself

export const account =
  (place: number, other: (w: World) => Address) =>
  ({ w, edits }: Draft): void =>
    void edits.push((of) => withAccount(of, place, other(w)));

/** An address where there is nothing, another one for each place: a transaction gives equal addresses equal flags. */
export const missing = (place: number) =>
  account(place, () => toAddress(new Uint8Array(32).fill(200 + place)));

export const unsigned =
  (place: number) =>
  ({ edits }: Draft): void =>
    void edits.push((of) => withFlags(of, place, { isSigner: false }));

export const readonly =
  (place: number) =>
  ({ edits }: Draft): void =>
    void edits.push((of) => withFlags(of, place, { isWritable: false }));

/** Leaves out the last account. */
export const tooFew = ({ edits }: Draft): void =>
  void edits.push((of) => ({ ...of, accounts: of.accounts.slice(0, -1) }));

/** Replaces bytes of the instruction's data; its selector is at 0. */
export const data =
  (at: number, value: (w: World) => Uint8Array) =>
  ({ w, edits }: Draft): void =>
    void edits.push((of) => ({
      ...of,
      data: bytes(of.data.subarray(0, at), value(w), of.data.subarray(at + value(w).length)),
    }));

/** One more byte of data than the payload takes. */
export const payloadTooLong = ({ edits }: Draft): void =>
  void edits.push((of) => ({ ...of, data: bytes(of.data, 0) }));

// What can be wrong with the accounts it meets

export const patched =
  (of: (w: World) => Address, at: number, value: (w: World) => Uint8Array) =>
  ({ w }: Draft): void =>
    w.patch(of(w), at, value(w));

export const changed =
  (change: (w: World) => void) =>
  ({ w }: Draft): void =>
    change(w);
