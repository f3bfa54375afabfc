import type { LandedPayment } from '@subrail/core/ports';
import { forgetOldest } from '../../forget-oldest.js';
import type { HistoryEntry } from '../rpc/account-history.js';

/** The most examinations that are remembered, each of a few hundred bytes and the payments of its history. */
const REMEMBERED = 2_000;

/** The examined part of an account's history, and what it told. */
export interface Examined {
  /** The slot up to which every transaction was examined; null while that was never reached. */
  readonly upTo: bigint | null;
  /** The examination in progress, from the newest transaction to older ones; null when none is. */
  readonly walk: {
    /** The slot up to which every transaction will have been examined at its end. */
    readonly to: bigint;
    /** The last entry that was examined; null for none. */
    readonly behind: HistoryEntry | null;
  } | null;
  /** The payments that the charger signed, by their signatures. */
  readonly payments: ReadonlyMap<string, LandedPayment>;
  /** Every creation of the account. */
  readonly makings: readonly { readonly slot: bigint; readonly time: Date }[];
}

/** The state of a history that was never looked at. */
export const NOTHING_EXAMINED: Examined = { upTo: null, walk: null, payments: new Map(), makings: [] };

/** More slots than a read at `confirmed` is ever ahead of what can no longer be rolled back. */
const REVOCABLE_SLOTS = 150n;

/**
 * Returns the part of an examination that no rollback can change: all but the last slots before `examinedTo`.
 */
export function irrevocable(examined: Examined, examinedTo: bigint): Examined {
  const upTo = examinedTo - REVOCABLE_SLOTS;
  return {
    upTo,
    walk: null,
    payments: new Map([...examined.payments].filter(([, { slot }]) => slot <= upTo)),
    makings: examined.makings.filter(({ slot }) => slot <= upTo),
  };
}

/**
 * Remembers how far histories were examined, because a stranger can send more transactions than one look
 * reads.
 */
export class ExaminedHistories {
  readonly #examined = new Map<string, Examined>();

  get(key: string): Examined | null {
    return this.#examined.get(key) ?? null;
  }

  /** Remembers a state. Of two looks at once either may be the last, because each state is true by itself. */
  note(key: string, examined: Examined): void {
    this.#examined.delete(key);
    this.#examined.set(key, examined);
    forgetOldest(this.#examined, REMEMBERED);
  }

  forget(key: string): void {
    this.#examined.delete(key);
  }
}
