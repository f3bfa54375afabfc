import type {
  Delivery,
  DeliveryAttempt,
  Endpoint,
  EndpointId,
  EventId,
  SubscriptionEvent,
} from '../../records/index.js';
import type { WithUnreadable } from './unreadable-record.js';

/** An endpoint that a sender claimed. */
export interface ClaimedEndpoint {
  readonly endpoint: Endpoint;
  /** The end of the lease. Until then no other sender gets the endpoint. */
  readonly leasedUntil: Date;
}

/** The endpoints that a claim took. Unreadable ones are leased too, so they hold up none. */
export interface EndpointClaims extends WithUnreadable {
  readonly claimed: readonly ClaimedEndpoint[];
}

/** How many endpoints a claim may take. */
export interface EndpointClaimLimits {
  /** The limit of endpoints without a `failingSince`. */
  readonly healthy: number;
  /** The limit of endpoints with a `failingSince`. */
  readonly failing: number;
}

/** A delivery that is due, with its event. */
export interface DueDelivery {
  readonly delivery: Delivery & { readonly eventId: EventId };
  readonly event: SubscriptionEvent;
}

/** The deliveries of an endpoint that are due. A delivery whose event cannot be read is unreadable. */
interface DueDeliveries extends WithUnreadable {
  readonly due: readonly DueDelivery[];
}

/** A delivery after an attempt. */
export interface SettledDelivery {
  readonly delivery: Delivery;
  /** `nextAttemptAt` of the delivery before the attempt. */
  readonly wasDueAt: Date | null;
  readonly attempt: DeliveryAttempt;
}

/** Stores the deliveries that `commit` wrote together with their events, and their attempts. */
export interface DeliveryStore {
  /**
   * Claims endpoints that have deliveries due at `now` and that no other sender holds, deleted ones included:
   * by the date of their soonest delivery, at most the limit of each kind.
   *
   * A claim is a lease until `now + leaseMs`: of N racing callers each endpoint, with all its deliveries,
   * goes to exactly one. It changes nothing of the record, not even `version`. A lease that ends later than
   * `now + 2 * leaseMs` holds nothing: a clock that was ahead made it.
   */
  claimEndpoints(now: Date, limits: EndpointClaimLimits, leaseMs: number): Promise<EndpointClaims>;
  /** Ends the lease that ends at `leasedUntil`. Another sender's later lease stays. */
  releaseEndpoint(id: EndpointId, leasedUntil: Date): Promise<void>;
  /**
   * Returns the pending deliveries of the endpoint whose `nextAttemptAt` is at or before `now`, soonest first
   * and by id within one instant, at most `limit`. Unreadable ones become due at `unreadableUntil`, so they
   * hold up no other.
   */
  listDueDeliveries(
    endpointId: EndpointId,
    now: Date,
    limit: number,
    unreadableUntil: Date,
  ): Promise<DueDeliveries>;
  /**
   * Writes the results of attempts, and the attempts, in the order given. A result is `lost`, and nothing of
   * it is written, when its delivery does not exist, is no longer pending, has an `attempts` that is not one
   * less, or a `nextAttemptAt` other than `wasDueAt`. So of N callers that settle one attempt exactly one
   * gets `settled`. A lost result keeps no other from being written.
   */
  settleDeliveries(results: readonly SettledDelivery[]): Promise<readonly ('settled' | 'lost')[]>;
  /**
   * Makes every pending delivery of the endpoint `failed`, all in one step: `settledAt` is `at`, and
   * `nextAttemptAt` null. Settled deliveries stay as they are. Returns how many it failed.
   */
  failDeliveries(endpointId: EndpointId, at: Date): Promise<number>;
}
