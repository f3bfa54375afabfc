import { Semaphore, type Store, type StoreOperations } from '@subrail/core/ports';
import { guardOperations, withTransactionOperations } from '../guard-operations.js';
import { chainIdentityStore } from './stores/chain-identity-store.js';
import { eventStore } from './stores/event-store.js';
import { Journal } from './journal.js';
import { chargeStore } from './stores/charge-store.js';
import { managementStore } from './stores/management-store.js';
import { planStore } from './stores/plan-store.js';
import { projectStore } from './stores/project-store.js';
import { reportStore } from './stores/report-store.js';
import { retentionStore } from './stores/retention-store.js';
import { subscriptionStore } from './stores/subscription-store.js';
import { createTables, type Tables } from './tables.js';
import { deliveryStore } from './stores/delivery-store.js';
import { endpointStore } from './stores/endpoint-store.js';

/** A Store in memory, with its rows exposed for tests. */
export interface MemoryStore extends Store {
  /** Every stored row, so that tests can check what was stored without calling an operation. */
  readonly tables: Tables;
}

/**
 * Creates the Store port in memory. It is the reference implementation, and the store of tests and simulations. Nothing
 * survives the process. Operations and transactions run one at a time, in the order of the calls, so a call made during
 * a transaction of another caller waits for its end.
 *
 * @example
 * const store = createMemoryStore();
 */
export function createMemoryStore(): MemoryStore {
  const turns = new Semaphore(1);
  const journal = new Journal();
  const tables = createTables(journal);
  const operations: StoreOperations = {
    ...chainIdentityStore(tables),
    ...projectStore(tables),
    ...planStore(tables),
    ...subscriptionStore(tables, journal),
    ...chargeStore(tables),
    ...eventStore(tables),
    ...endpointStore(tables),
    ...deliveryStore(tables),
    ...retentionStore(tables),
    ...managementStore(tables),
    ...reportStore(tables),
  };

  /** Runs `work` while nothing else runs. Its writes stay when it succeeds and are undone when it throws. */
  function exclusively<T>(work: () => Promise<T>): Promise<T> {
    return turns.run(async () => {
      try {
        return await work();
      } catch (error) {
        journal.undoTo(0);
        throw error;
      } finally {
        journal.close();
      }
    });
  }

  return {
    tables,
    ...guardOperations(operations, exclusively),
    transaction: (work) => exclusively(() => withTransactionOperations(operations, work)),
  };
}
