import fc from 'fast-check';
import { expect, test } from 'vitest';
import { history } from './history.js';
import { playAndConsume } from './play-and-consume.js';

// invariants#access-events-alternate, invariants#sequence-is-complete,
// deliveries#delivery-id-for-deduplication
test('a consumer of late, doubled and shuffled deliveries knows the access that the route answers', async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, fc.integer(), async (acts, seed) => {
      for (const type of await playAndConsume(acts, seed)) reached.add(type);
    }),
    // Shrinking would play dozens of histories: a failure names the seed and path that repeat it. The few
    // histories of this seed reach all types below; consumer.long.test.ts plays others.
    { numRuns: 8, seed: 3, endOnFailure: true },
  );
  // These histories do show what they are for.
  expect([...reached]).toEqual(
    expect.arrayContaining([
      ...['created', 'access_granted', 'renewed', 'payment_failed', 'stopped', 'cancelled', 'resumed'],
      ...['access_revoked', 'ended', 'paused', 'unpaused'],
    ]),
  );
});
