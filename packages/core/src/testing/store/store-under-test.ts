import type { Store } from '../../ports/store.js';
import type { DeliveryId, EventId, PlanId, SubscriptionId, TransferId } from '../../records/index.js';

/** A kind of stored record. */
export type StoredKind =
  | 'projects'
  | 'apiKeys'
  | 'plans'
  | 'subscriptions'
  | 'transfers'
  | 'attempts'
  | 'signedTerms'
  | 'sessions'
  | 'sessionSubscriptions'
  | 'links'
  | 'events'
  | 'endpoints'
  | 'deliveries'
  | 'deliveryAttempts';

/**
 * Reads the stored data without the adapter under test, which may report something else. Instants are
 * milliseconds since 1970, amounts are decimal digits, and a missing row is null.
 */
export interface RawReader {
  /** Returns how many rows of a kind are stored. */
  count(kind: StoredKind): Promise<number>;
  plan(id: PlanId): Promise<{ version: number; slug: string; amount: string } | null>;
  subscription(id: SubscriptionId): Promise<{
    version: number;
    status: string;
    paidAmount: string;
    createdAt: number;
    wakeAt: number | null;
  } | null>;
  transfer(id: TransferId): Promise<{ state: string; amount: string; periodStart: number | null } | null>;
  event(id: EventId): Promise<{ sequence: number; body: string | null } | null>;
  delivery(id: DeliveryId): Promise<{
    state: string;
    attempts: number;
    nextAttemptAt: number | null;
  } | null>;
}

/** The parts that an adapter's author provides: a new, empty store, and two other ways to read its data. */
export interface StoreUnderTest<Tested extends Store = Store> {
  readonly store: Tested;
  /** The same data through a second connection; the store itself when there can be only one connection. */
  readonly peer: Tested;
  readonly raw: RawReader;
  /**
   * Closes `store` and `peer`, opens the same data again and returns a store on it. Only a store that is
   * empty after a close lacks it, and says so with `volatile`.
   */
  reopen?(): Promise<Tested>;
  /** Closes all connections, those of `reopen` too, and deletes the data. Called at the end of each test. */
  close(): Promise<void>;
}

/** Tests of a store by name. A test's name states the promise that it checks. */
export type StoreTests<Tested extends Store = Store> = Readonly<
  Record<string, (underTest: StoreUnderTest<Tested>) => Promise<void>>
>;
