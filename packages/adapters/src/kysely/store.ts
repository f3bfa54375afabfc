import type { Store, StoreOperations } from '@subrail/core/ports';
import { withOperations } from '../guard-operations.js';
import { Mutex } from '../mutex.js';
import { claimOperations } from './claim-due.js';
import { commitOperation } from './commit.js';
import { deliveryOperations } from './deliveries.js';
import { endpointOperations } from './endpoints.js';
import { eventOperations } from './events.js';
import { ledgerOperations } from './ledger.js';
import { planOperations } from './plans.js';
import { projectOperations } from './projects.js';
import {
  databaseSession,
  transactionSession,
  type Handle,
  type Session,
  type DialectTraits,
} from './session.js';
import { subscriptionOperations } from './subscriptions.js';

/**
 * The Store port on a SQL database that Kysely has a dialect for and that has partial and expression indexes.
 * The database must have been migrated (`migrate`), and its driver must give 64-bit integers as numbers.
 * Closing it stays with whoever opened it.
 */
export function createKyselyStore(db: Handle, traits: DialectTraits): Store {
  const projects = projectOperations(db);
  const plans = planOperations(db);
  const subscriptions = subscriptionOperations(db);
  const commit = commitOperation(db);
  const claims = claimOperations(db);
  const ledger = ledgerOperations(db);
  const events = eventOperations(db);
  const endpoints = endpointOperations(db);
  const deliveries = deliveryOperations(db);

  const operationsOf = (session: Session): StoreOperations => ({
    ...projects(session),
    ...plans(session),
    ...subscriptions(session),
    ...commit(session),
    ...claims(session),
    ...ledger(session),
    ...events(session),
    ...endpoints(session),
    ...deliveries(session),
  });

  return {
    ...operationsOf(databaseSession(db, traits)),
    transaction: (work) =>
      db.transaction().execute((transaction) => {
        const mutex = new Mutex();
        return withOperations(
          operationsOf(transactionSession(transaction, traits)),
          (run) => mutex.take(run),
          work,
        );
      }),
  };
}
