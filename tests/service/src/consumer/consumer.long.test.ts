// Heavy: sixty histories of months are delivered late, doubled and shuffled.

import fc from 'fast-check';
import { test } from 'vitest';
import { history } from './history.js';
import { playAndConsume } from './play-and-consume.js';

/** How many histories are played. `CONSUMER_RUNS` changes the number. */
const RUNS = Number(process.env['CONSUMER_RUNS'] ?? 60);

// invariants#access-events-alternate, invariants#sequence-is-complete,
// deliveries#delivery-id-for-deduplication
test(
  'a consumer knows the access that the route answers in many more histories',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer(), async (acts, seed) => {
        await playAndConsume(acts, seed);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
