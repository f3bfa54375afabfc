import type { Store, StoreOperations } from '@subrail/core';
import { Turns } from '../turns.js';
import { changeOperations } from './commit.js';
import { Journal } from './journal.js';
import { ledgerOperations } from './ledger.js';
import { planOperations } from './plans.js';
import { projectOperations } from './projects.js';
import { subscriptionOperations } from './subscriptions.js';
import { createTables } from './tables.js';
import { webhookOperations } from './webhooks.js';

/**
 * The Store port in memory: the reference that says in plain code what every store must do, and the store of tests and
 * simulations. Nothing survives the process. One caller at a time: whoever comes while a transaction runs waits for its end.
 */
export function createMemoryStore(): Store {
  const turns = new Turns();
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
    return turns.take(async () => {
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
    ...eachThrough(operations, alone),
    transaction: (work) =>
      alone(async () => {
        let open = true;
        try {
          return await work(
            eachThrough(operations, (run) =>
              open ? run() : Promise.reject(new Error('The transaction this operation belongs to is over.')),
            ),
          );
        } finally {
          open = false;
        }
      }),
  };
}

type Through = <T>(run: () => Promise<T>) => Promise<T>;

/** The same operations, each call of which goes through a door. */
function eachThrough(operations: StoreOperations, door: Through): StoreOperations {
  type Operation = (...given: unknown[]) => Promise<unknown>;
  const through = Object.entries(operations as unknown as Record<string, Operation>).map(
    ([name, operation]) => [name, (...given: unknown[]) => door(() => operation(...given))] as const,
  );
  // Names and signatures are those of `operations`; only entries lose them.
  return Object.fromEntries(through) as unknown as StoreOperations;
}
