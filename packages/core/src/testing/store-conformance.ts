import { chargeTests } from './store/charges.js';
import { claimTests } from './store/claims.js';
import { commitTests } from './store/commits.js';
import { deliveryTests } from './store/deliveries.js';
import { listTests } from './store/lists.js';
import { pendingCountTests } from './store/pending-counts.js';
import { projectTests } from './store/projects.js';
import { roundTripTests } from './store/round-trips.js';
import type { StoreUnderTest } from './store/store-under-test.js';
import { transactionTests } from './store/transactions.js';
import { uniquenessTests } from './store/uniqueness.js';
import type { TestFunction } from './test-function.js';

export type { RawReader, StoredKind, StoreUnderTest } from './store/store-under-test.js';

const SUITES = [
  roundTripTests,
  projectTests,
  commitTests,
  uniquenessTests,
  claimTests,
  listTests,
  pendingCountTests,
  chargeTests,
  deliveryTests,
  transactionTests,
];

/**
 * The conformance kit of the `Store` port: registers one test for each promise, racing callers included. For every test
 * it calls `open` for a new, empty store, and closes it at the end. A store that passes can serve the whole service.
 *
 * @example
 * import { storeConformance } from '@subrail/core/testing';
 * import { describe, test } from 'vitest';
 *
 * describe('my store', () => {
 *   storeConformance(test, async () => {
 *     const database = await openEmptyDatabase();
 *     return {
 *       store: createMyStore(database.connect()),
 *       peer: createMyStore(database.connect()),
 *       raw: createRawReader(database),
 *       close: () => database.drop(),
 *     };
 *   });
 * });
 */
export function storeConformance(test: TestFunction, open: () => Promise<StoreUnderTest>): void {
  for (const suite of SUITES)
    for (const [name, check] of Object.entries(suite))
      test(name, async () => {
        const underTest = await open();
        try {
          await check(underTest);
        } finally {
          await underTest.close();
        }
      });
}
