import type {
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  Endpoint,
  EndpointId,
  EventId,
  ProjectId,
  SubscriptionEvent,
} from '../../records/index.js';
import type { Batch, BatchCursor } from './batch.js';
import type { Page, PageRequest } from './page.js';
import type { UnreadableRecord } from './unreadable-record.js';

/** An endpoint that a sender claimed. */
export interface ClaimedEndpoint {
  readonly endpoint: Endpoint;
  /** When the lease ends. Until then no other sender gets the endpoint. */
  readonly leasedUntil: Date;
}

/** What a claim of endpoints took. */
export interface EndpointClaims {
  readonly claimed: readonly ClaimedEndpoint[];
  /** Those that the store cannot read. They are leased like the others, so that they hold up nobody. */
  readonly unreadable: readonly UnreadableRecord[];
}

/** How many endpoints a claim may take. */
export interface EndpointClaimLimits {
  /** Of those without a `failingSince`. */
  readonly healthy: number;
  /** Of those with a `failingSince`. */
  readonly failing: number;
}

/** A delivery that is due, with its event. */
export interface DueDelivery {
  readonly delivery: Delivery & { readonly eventId: EventId };
  readonly event: SubscriptionEvent;
}

/** The deliveries of an endpoint that are due. */
export interface DueDeliveries {
  readonly due: readonly DueDelivery[];
  /** Those that the store cannot read, or whose event it cannot read: a row is damaged, or a newer release wrote it. */
  readonly unreadable: readonly UnreadableRecord[];
}

/** A delivery after an attempt. */
export interface SettledDelivery {
  readonly delivery: Delivery;
  /** `nextAttemptAt` of the delivery before the attempt. */
  readonly wasDueAt: Date | null;
  readonly attempt: DeliveryAttempt;
}

/** Which deliveries a list contains; null does not filter. */
export interface DeliveryFilter {
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId | null;
  readonly state: Delivery['state'] | null;
}

/** Stores the deliveries that `commit` wrote together with their events, and their attempts. */
export interface DeliveryStore {
  /**
   * Claims endpoints that have deliveries due at `now` and that no other sender holds, deleted ones included: those whose
   * soonest delivery is due first come first, at most the limits of each kind.
   *
   * A claim is a lease until `now + leaseMs`: of N racing callers each endpoint goes to exactly one, and so do all its
   * deliveries. It changes nothing of the record, not even `version`. A lease that ends later than `now + 2 * leaseMs` holds
   * nothing: a clock that was ahead made it.
   */
  claimEndpoints(now: Date, limits: EndpointClaimLimits, leaseMs: number): Promise<EndpointClaims>;
  /** Ends a lease, unless it has ended and another sender holds the endpoint: `leasedUntil` tells one lease from the other. */
  releaseEndpoint(id: EndpointId, leasedUntil: Date): Promise<void>;
  /**
   * Returns the pending deliveries of the endpoint whose `nextAttemptAt` is at or before `now`, soonest first, at most
   * `limit`; those with one `nextAttemptAt` by id.
   */
  listDueDeliveries(endpointId: EndpointId, now: Date, limit: number): Promise<DueDeliveries>;
  /** Sets `nextAttemptAt` of a pending delivery that cannot be read, so that it holds up no other. Ignores an unknown id. */
  postponeUnreadableDelivery(id: string, nextAttemptAt: Date): Promise<void>;
  /**
   * Writes the results of attempts, and the attempts, in the order given. A result is `lost`, and nothing of it is written, when
   * there is no such delivery, or it is no longer pending, its `attempts` is not one less, or its `nextAttemptAt` is another
   * than `wasDueAt`. So of N callers that settle one attempt exactly one gets `settled`. The other results are written all the same.
   */
  settleDeliveries(results: readonly SettledDelivery[]): Promise<readonly ('settled' | 'lost')[]>;
  /**
   * Makes every pending delivery of the endpoint `failed`, all in one step: `settledAt` is `at`, and `nextAttemptAt` null.
   * Those that were delivered or failed before stay as they are. Returns how many it failed.
   */
  failDeliveries(endpointId: EndpointId, at: Date): Promise<number>;

  /**
   * Inserts deliveries, and returns those that it inserted: it leaves out each whose event has one to that endpoint.
   * Throws when an id is taken.
   */
  insertDeliveries(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /**
   * Makes deliveries of these events to the endpoint due at `at`: those in one of the given states. They become pending, and
   * `attemptsBefore` becomes `attempts`. One that is pending without a `nextAttemptAt`, because it waits for a held event, is
   * left as it is. Returns how many there were.
   */
  resendDeliveries(
    endpointId: EndpointId,
    eventIds: readonly EventId[],
    states: readonly Delivery['state'][],
    at: Date,
  ): Promise<number>;
  /** Returns the endpoint's test deliveries created at `since` or later, newest first. */
  listTestDeliveries(endpointId: EndpointId, since: Date): Promise<readonly Delivery[]>;
  /**
   * Makes every pending test delivery that was created before `createdBefore` `failed`, of all endpoints and all in one step:
   * `lastExcerpt` is `excerpt`, and `settledAt` is `at`. Other deliveries stay as they are. Returns how many it failed.
   */
  failUnfinishedTests(createdBefore: Date, excerpt: string, at: Date): Promise<number>;
  /**
   * A batch that looks at the pending deliveries of events whose `nextAttemptAt` is later than `after`, by that date, soonest first.
   * Sets `nextAttemptAt` to `at` of those that wait so long by a clock that was ahead: the last attempt began after `after`, or none
   * was made since the delivery was created or sent again.
   */
  hastenDeliveries(after: Date, at: Date, limit: number, cursor: BatchCursor | null): Promise<Batch>;

  /** Returns the project's delivery with this id; null when there is none, or when it is another project's. */
  findDelivery(projectId: ProjectId, id: DeliveryId): Promise<Delivery | null>;
  /** Returns a page of the project's deliveries, newest first. */
  listProjectDeliveries(
    projectId: ProjectId,
    filter: DeliveryFilter,
    page: PageRequest<DeliveryId>,
  ): Promise<Page<Delivery> | 'unknown_cursor'>;
  /** Returns the attempts of a delivery, the first one first. */
  listDeliveryAttempts(id: DeliveryId): Promise<readonly DeliveryAttempt[]>;
  /** Returns the deliveries of an event, newest first. */
  listDeliveries(eventId: EventId): Promise<readonly Delivery[]>;
  /** Returns the earliest `nextAttemptAt` of all pending deliveries, or null when none has one. */
  nextDeliveryAt(): Promise<Date | null>;
}
