// Heavy: months of three customers are simulated with forty seeds.

import { describe, it } from 'vitest';

import { simulate } from './simulate.js';

/** How many more runs than simulation.test.ts has. `SIMULATION_SEEDS` changes the number. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 40);

describe('three customers under random faults', () => {
  // invariants#one-payment-per-period, invariants#paid-totals-match-attempts,
  // invariants#no-charge-out-of-turn, invariants#no-access-once-ended, invariants#no-access-past-its-date
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 7))(
    'seed %i: no payment and no event is lost, repeated or unrecorded',
    simulate,
  );
});
