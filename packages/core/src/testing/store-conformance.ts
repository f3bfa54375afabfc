import { backlogTests } from './store/backlog.js';
import { chargeTests } from './store/charges.js';
import { claimTests } from './store/claims.js';
import { commitTests } from './store/commits.js';
import { countTests } from './store/counts.js';
import { deliveryTests } from './store/deliveries.js';
import { deliveryByHandTests } from './store/deliveries-by-hand.js';
import { dueListTests } from './store/due-lists.js';
import { durabilityTests } from './store/durability.js';
import { eventOrderTests } from './store/event-order.js';
import { heldEventTests } from './store/held-events.js';
import { isolationTests } from './store/isolation.js';
import { listTests } from './store/lists.js';
import { managementTests } from './store/management.js';
import { orderTests } from './store/orders.js';
import { pendingCountTests } from './store/pending-counts.js';
import { planCheckTests } from './store/plan-checks.js';
import { projectTests } from './store/projects.js';
import { reportTests } from './store/reports.js';
import { roundTripTests } from './store/round-trips.js';
import { retentionTests } from './store/retention.js';
import { searchTests } from './store/searches.js';
import { seatTests } from './store/seats.js';
import type { StoreUnderTest } from './store/store-under-test.js';
import { transactionTests } from './store/transactions.js';
import { uniquenessTests } from './store/uniqueness.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

export type { RawReader, StoredKind, StoreUnderTest } from './store/store-under-test.js';

const SUITES = [
  roundTripTests,
  projectTests,
  planCheckTests,
  commitTests,
  uniquenessTests,
  claimTests,
  listTests,
  orderTests,
  eventOrderTests,
  countTests,
  seatTests,
  pendingCountTests,
  chargeTests,
  deliveryTests,
  deliveryByHandTests,
  heldEventTests,
  retentionTests,
  managementTests,
  searchTests,
  dueListTests,
  reportTests,
  backlogTests,
  transactionTests,
  isolationTests,
];

/** What a store does not promise, so that the kit does not test it. */
export interface StoreConformanceOptions {
  /** Whether everything is gone when the store is closed, as in a store in memory. Default: false. */
  readonly volatile?: boolean;
}

/**
 * The conformance kit of the `Store` port: registers one test for each promise, racing callers included. For every test
 * it calls `open` for a new, empty store, and closes it at the end. A store that passes can serve the whole service. The
 * error of a test that fails begins with the promise that the store does not keep.
 *
 * @example
 * import { storeConformance } from '@subrail/core/testing';
 * import { describe, test } from 'vitest';
 *
 * describe('my store', () => {
 *   storeConformance(test, async () => {
 *     const database = await createEmptyDatabase();
 *     return {
 *       store: createMyStore(database.connect()),
 *       peer: createMyStore(database.connect()),
 *       raw: createRawReader(database),
 *       reopen: async () => {
 *         await database.disconnectAll();
 *         return createMyStore(database.connect());
 *       },
 *       close: () => database.drop(),
 *     };
 *   });
 * });
 */
export function storeConformance(
  test: TestFunction,
  open: () => Promise<StoreUnderTest>,
  options: StoreConformanceOptions = {},
): void {
  for (const suite of options.volatile === true ? SUITES : [...SUITES, durabilityTests])
    for (const [promise, check] of Object.entries(suite))
      promiseTest(test, 'The store', promise, open, check);
}
