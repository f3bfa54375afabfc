import type { Store, StoreOperations } from '@subrail/core/ports';
import { guardOperations, withOperations } from '../guard-operations.js';
import { Mutex } from '../mutex.js';
import { changeOperations } from './commit.js';
import { Journal } from './journal.js';
import { ledgerOperations } from './ledger.js';
import { planOperations } from './plans.js';
import { projectOperations } from './projects.js';
import { subscriptionOperations } from './subscriptions.js';
import { createTables, type Tables } from './tables.js';
import { webhookOperations } from './webhooks.js';

/** A store whose rows can be looked at past its operations, for tests that judge what was stored. */
export interface MemoryStore extends Store {
  readonly tables: Tables;
}

/**
 * The Store port in memory: the reference that says in plain code what every store must do, and the store of tests and
 * simulations. Nothing survives the process. One caller at a time: whoever comes while a transaction runs waits for its end.
 */
export function createMemoryStore(): MemoryStore {
  const mutex = new Mutex();
  const journal = new Journal();
  const tables = createTables(journal);
  // No operation awaits anything, so each runs whole between two turns of the event loop.
  const operations: StoreOperations = {
    ...projectOperations(tables),
    ...planOperations(tables),
    ...subscriptionOperations(tables),
    ...changeOperations(tables, journal),
    ...ledgerOperations(tables),
    ...webhookOperations(tables),
  };

  /** Runs alone. What it wrote stays when it succeeds and is taken back when it throws. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    return mutex.take(async () => {
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
    ...guardOperations(operations, alone),
    // Within a transaction each operation runs whole already, so its turn is always now.
    transaction: (work) => alone(() => withOperations(operations, (run) => run(), work)),
  };
}
