// Heavy: weeks of three customers are played two hundred times.

import { describe, it } from 'vitest';

import { simulate } from './simulate.js';

/** Every pair of a clock's skew and a store, on Free, on Business and with a plan that ends, many times. */
const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

describe('three customers under random faults', () => {
  // invariants#one-payment-per-period, invariants#paid-totals-match-attempts,
  // invariants#no-charge-out-of-turn, invariants#no-access-once-ended, invariants#no-access-past-its-date,
  // figures#figures-equal-a-recount
  it.each(SEEDS)('seed %i: no payment and no event is lost, repeated or unrecorded', simulate);
});
