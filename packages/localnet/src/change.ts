import type { Address } from '@solana/kit';
import type { LandedTransaction } from './history.js';

/** A landed transaction, an account set from outside, or a clock that jumped, started or paused. */
export type Change =
  | { readonly kind: 'landed'; readonly landed: LandedTransaction; readonly touched: readonly Address[] }
  | { readonly kind: 'set'; readonly slot: bigint; readonly touched: readonly Address[] }
  | { readonly kind: 'clock' };

/** Called with every change, right after it happened and, by default, closed its block. */
export type ChangeListener = (change: Change) => void;
