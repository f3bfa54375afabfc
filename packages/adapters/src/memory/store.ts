import {
  Semaphore,
  type FullStore,
  type FullStoreOperations,
  type StoreOperations,
} from '@subrail/core/ports';
import { guardOperations, withTransactionOperations } from '../guard-operations.js';
import { figureStore } from './capabilities/figure-store.js';
import { mailStore } from './capabilities/mail-store.js';
import { managementStore } from './capabilities/management-store.js';
import { reportStore } from './capabilities/report-store.js';
import { retentionStore } from './capabilities/retention-store.js';
import { sessionStore } from './capabilities/session-store.js';
import { walletStore } from './capabilities/wallet-store.js';
import { Journal } from './journal.js';
import { chainIdentityStore } from './required/chain-identity-store.js';
import { chargeStore } from './required/charge-store.js';
import { deliveryStore } from './required/delivery-store.js';
import { endpointStore } from './required/endpoint-store.js';
import { eventStore } from './required/event-store.js';
import { planStore } from './required/plan-store.js';
import { projectStore } from './required/project-store.js';
import { subscriptionStore } from './required/subscription-store.js';
import { createTables, type Tables } from './tables.js';

/** A Store in memory, with its rows exposed for tests. */
export interface MemoryStore extends FullStore {
  /** Every stored row, for tests that call no operation. */
  readonly tables: Tables;
}

/**
 * Creates the Store port in memory: the reference implementation, for tests and simulations. Nothing survives
 * the process. Operations and transactions run one at a time in the order of the calls, so a call waits for
 * the transaction of another caller.
 *
 * @example
 * const store = createMemoryStore();
 */
export function createMemoryStore(): MemoryStore {
  const turns = new Semaphore(1);
  const journal = new Journal();
  const tables = createTables(journal);
  const required: StoreOperations = {
    ...chainIdentityStore(tables),
    ...projectStore(tables),
    ...planStore(tables),
    ...subscriptionStore(tables, journal),
    ...chargeStore(tables),
    ...eventStore(tables),
    ...endpointStore(tables),
    ...deliveryStore(tables),
  };
  const operations: FullStoreOperations = {
    ...required,
    ...walletStore(tables),
    ...sessionStore(tables),
    ...managementStore(tables),
    ...reportStore(tables),
    ...figureStore(tables),
    ...mailStore(tables),
    ...retentionStore(tables),
  };

  /** Runs `work` alone, and undoes its writes when it throws. */
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
