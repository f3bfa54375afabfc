import type { ChainIdentityStore } from './store/chain-identity-store.js';
import type { ChargeStore } from './store/charge-store.js';
import type { DeliveryStore } from './store/delivery-store.js';
import type { EndpointStore } from './store/endpoint-store.js';
import type { EventStore } from './store/event-store.js';
import type { FigureStore } from './store/figure-store.js';
import type { MailStore } from './store/mail-store.js';
import type { ManagementStore } from './store/management-store.js';
import type { PlanStore } from './store/plan-store.js';
import type { ProjectStore } from './store/project-store.js';
import type { ReportStore } from './store/report-store.js';
import type { RetentionStore } from './store/retention-store.js';
import type { SessionStore } from './store/session-store.js';
import type { SubscriptionStore } from './store/subscription-store.js';
import type { WalletStore } from './store/wallet-store.js';

export type * from './store/batch.js';
export type * from './store/chain-identity-store.js';
export type * from './store/charge-store.js';
export type * from './store/commit.js';
export type * from './store/delivery-store.js';
export type * from './store/endpoint-store.js';
export type * from './store/event-store.js';
export type * from './store/figure-store.js';
export type * from './store/mail-store.js';
export type * from './store/management-store.js';
export type * from './store/page.js';
export type * from './store/plan-store.js';
export type * from './store/project-store.js';
export type * from './store/report-store.js';
export type * from './store/retention-store.js';
export type * from './store/session-store.js';
export type * from './store/subscription-store.js';
export type * from './store/unreadable-record.js';
export type * from './store/wallet-store.js';

/**
 * The operations on stored records that a checkout, a charge, an access check and a webhook need. Each method
 * is atomic: it takes effect whole or not at all. Its result is already durable: it survives a close of the
 * store and a kill of the process. A lost race is a return value, never an exception. A method throws
 * `Unavailable` when the storage cannot serve now, and any other error only for a fault.
 *
 * A record is read exactly as it was written: null stays null within nested objects too, instants keep their
 * milliseconds, text is any Unicode text, and amounts are bigints, up to 2^64 - 1 each and more for sums. Ids
 * are unique within their kind. An order by id or slug goes by the codes of the characters, never by the
 * rules of a language.
 *
 * Only `RetentionStore`, `deleteUnusedVisits`, `deleteSessions`, `deleteMails`, `acceptAddress` and
 * `deleteProject` delete records. A record
 * is stored after the records that it refers to, or in the same commit or transaction. A store may throw for
 * a record that refers to nothing, as foreign keys do, and need not check. Records never change in memory, so
 * a store may keep a given object, and return one object to many callers.
 */
export interface StoreOperations
  extends
    ChainIdentityStore,
    ProjectStore,
    PlanStore,
    SubscriptionStore,
    ChargeStore,
    EventStore,
    EndpointStore,
    DeliveryStore {}

/**
 * The capabilities that a store may have beyond `Store`, by name. A store has a capability when it has all of
 * its methods, in transactions too.
 */
export interface StoreCapabilities {
  readonly WalletStore: WalletStore;
  readonly SessionStore: SessionStore;
  readonly ManagementStore: ManagementStore;
  readonly ReportStore: ReportStore;
  readonly FigureStore: FigureStore;
  readonly MailStore: MailStore;
  readonly RetentionStore: RetentionStore;
}

/** The operations of a store that has every capability. */
export interface FullStoreOperations
  extends
    StoreOperations,
    WalletStore,
    SessionStore,
    ManagementStore,
    ReportStore,
    FigureStore,
    MailStore,
    RetentionStore {}

interface Transactions<Operations> {
  /**
   * Runs several operations as one and returns the result of `work`. All become visible and durable together;
   * when `work` throws, none does, and the same error is thrown on. An operation that returns `lost` undoes
   * only itself, and the transaction goes on. `work` sees its own writes, and may call operations
   * concurrently.
   *
   * No other caller ever sees a part of a transaction, not even on the same connection. A read meanwhile is
   * answered as before the transaction, or waits for its end, and never for ever. Racing transactions lose no
   * write: each finds the other's writes by their versions, and gets `lost`.
   *
   * `work` may run more than once: a database may undo a transaction because of another one, and then the
   * store runs it again. So a second run must replace every effect of `work` outside its operations.
   *
   * `work` must use only the operations it is given, and await them: an operation called after it ended
   * rejects and writes nothing. An operation that still runs when `work` ends belongs to the transaction: the
   * store waits for it, or it rejects and writes nothing. When `work` throws, nothing of it is written in any
   * case. When an operation rejects and `work` goes on, the store writes everything but that operation, or it
   * throws and writes nothing. A call of the store itself, awaited in `work`, may wait for the end of the
   * transaction and so for ever. A nested transaction does not type-check.
   */
  transaction<T>(work: (operations: Operations) => Promise<T>): Promise<T>;
}

/**
 * The storage that the service cannot do without: the operations, and transactions that join several of them.
 * A function that needs a capability which the store lacks answers `not_supported`. To write a store, run
 * `storeConformance` of `@subrail/core/testing` against it.
 */
export interface Store extends StoreOperations, Transactions<StoreOperations> {}

/** A store with every capability. */
export interface FullStore extends FullStoreOperations, Transactions<FullStoreOperations> {}
