import type { FullStore, FullStoreOperations } from '@subrail/core/ports';
import { withTransactionOperations } from '../guard-operations.js';
import { deliveryStore } from './stores/delivery-store.js';
import { endpointStore } from './stores/endpoint-store.js';
import { chainIdentityStore } from './stores/chain-identity-store.js';
import { eventStore } from './stores/event-store.js';
import { chargeStore } from './stores/charge-store.js';
import { figureStore } from './stores/figure-store.js';
import { mailStore } from './stores/mail-store.js';
import { managementStore } from './stores/management-store.js';
import { planStore } from './stores/plan-store.js';
import { projectStore } from './stores/project-store.js';
import { receiptStore } from './stores/receipt-store.js';
import { reportStore } from './stores/report-store.js';
import { retentionStore } from './stores/retention-store.js';
import { sessionStore } from './stores/session-store.js';
import { KeyCache, type KeyFreshness } from './query/key-cache.js';
import { againAfterConflicts } from './query/again-after-conflicts.js';
import {
  databaseSession,
  joinedTransaction,
  transactionSession,
  type Handle,
  type Session,
  type DialectTraits,
} from './query/session.js';
import { subscriptionStore } from './stores/subscription-store.js';

/**
 * Creates the Store port on a SQL database. The database needs a Kysely dialect, partial and expression
 * indexes, and a driver that returns 64-bit integers as numbers. Call `migrate` on it first. The caller
 * closes the database.
 *
 * @param freshness how long a cached API key counts; without it every request reads its key
 * @example
 * import { createKyselyStore, migrate, type Database, type DialectTraits } from '@subrail/adapters/kysely';
 * import type { Kysely } from 'kysely';
 *
 * async function openStore(db: Kysely<Database>, traits: DialectTraits) {
 *   await migrate(db, traits);
 *   return createKyselyStore(db, traits);
 * }
 */
export function createKyselyStore(
  db: Handle,
  traits: DialectTraits,
  freshness: KeyFreshness | null = null,
): FullStore {
  const keys = freshness === null ? null : new KeyCache(freshness);
  const chainIdentity = chainIdentityStore(db);
  const projects = projectStore(db, keys);
  const plans = planStore(db);
  const subscriptions = subscriptionStore(db);
  const charges = chargeStore(db);
  const events = eventStore(db);
  const endpoints = endpointStore(db);
  const deliveries = deliveryStore(db);
  const retention = retentionStore(db);
  const management = managementStore(db);
  const reports = reportStore(db);
  const receipts = receiptStore(db);
  const figures = figureStore(db);
  const sessions = sessionStore(db);
  const mails = mailStore(db);

  const operationsOf = (session: Session): FullStoreOperations => ({
    ...chainIdentity(session),
    ...projects(session),
    ...plans(session),
    ...subscriptions(session),
    ...charges(session),
    ...events(session),
    ...endpoints(session),
    ...deliveries(session),
    ...retention(session),
    ...management(session),
    ...reports(session),
    ...receipts(session),
    ...figures(session),
    ...sessions(session),
    ...mails(session),
  });

  return {
    ...operationsOf(databaseSession(db, traits)),
    async transaction(work) {
      try {
        return await againAfterConflicts(traits.isConflict, () =>
          joinedTransaction(db, traits).execute((transaction) =>
            withTransactionOperations(operationsOf(transactionSession(transaction, traits)), work),
          ),
        );
      } finally {
        // The cache may lack what the transaction wrote.
        keys?.drop();
      }
    },
  };
}
