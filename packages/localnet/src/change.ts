import type { Address } from '@solana/kit';
import type { LandedTransaction } from './history.js';

/** Something happened to the chain that is worth looking at again, or saving. */
export type Change =
  | { readonly kind: 'landed'; readonly landed: LandedTransaction; readonly touched: readonly Address[] }
  | { readonly kind: 'set'; readonly touched: readonly Address[] }
  | { readonly kind: 'clock' };

export type ChangeListener = (change: Change) => void;
