// Heavy: weeks of three customers are played hundreds of times.

import { describe, it } from 'vitest';

import { simulate } from './simulate.js';

/** How many runs follow those of simulation.test.ts. `SIMULATION_SEEDS` changes the number. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 400);

describe('three customers under random faults', () => {
  // invariants#one-payment-per-period, invariants#paid-totals-match-attempts,
  // invariants#no-charge-out-of-turn, invariants#no-access-once-ended, invariants#no-access-past-its-date
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 201))(
    'seed %i: no payment and no event is lost, repeated or unrecorded',
    simulate,
  );
});
