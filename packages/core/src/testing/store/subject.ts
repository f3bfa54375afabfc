import type { Store } from '../../ports/store.js';
import type {
  ApiKeyId,
  DeliveryId,
  EventId,
  PlanId,
  SubscriptionId,
  TransferId,
} from '../../records/index.js';

/** A kind of row, named as its records are. */
export type StoredKind =
  | 'projects'
  | 'apiKeys'
  | 'plans'
  | 'subscriptions'
  | 'transfers'
  | 'attempts'
  | 'signedTerms'
  | 'events'
  | 'endpoints'
  | 'deliveries';

/**
 * Reads the storage itself, past the adapter, so that the suite judges what was stored and not what the adapter says of it.
 * Instants are milliseconds since 1970, amounts decimal digits. A row that is not there is null.
 */
export interface RawReadBack {
  count(kind: StoredKind): Promise<number>;
  apiKey(id: ApiKeyId): Promise<{ lastUsedAt: number | null; revokedAt: number | null } | null>;
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

/** An empty store, freshly made. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The same data through a connection of its own; the store itself where there is only one. */
  readonly peer: Store;
  readonly raw: RawReadBack;
  close(): Promise<void>;
}

/** Tests by the promise they prove. */
export type Promises = Readonly<Record<string, (subject: StoreUnderTest) => Promise<void>>>;
