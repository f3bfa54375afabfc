import { describe, it } from 'vitest';

import { simulate } from './simulate.js';

/**
 * Each skew of the clock and each store, on Free, on Business and with a plan that ends; and one whose
 * wallets cancel while the chain is silent until the end.
 */
const SEEDS = [1, 2, 3, 4, 5, 6, 49];

describe('three customers under random faults', () => {
  // invariants#one-payment-per-period, invariants#paid-totals-match-attempts,
  // invariants#no-charge-out-of-turn, invariants#no-access-once-ended, invariants#no-access-past-its-date
  it.each(SEEDS)('seed %i: no payment and no event is lost, repeated or unrecorded', simulate);
});
