import type {
  Delivery,
  Endpoint,
  EndpointId,
  SubscriptionEvent,
  EventId,
  ProjectId,
} from '../../records/index.js';

/** A claimed delivery with its event and its endpoint. */
export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly event: SubscriptionEvent;
  readonly endpoint: Endpoint;
}

/** Stores webhook endpoints, and the deliveries that `commit` wrote together with their events. */
export interface WebhookStore {
  /**
   * Inserts an endpoint. Of N callers with one URL in one project exactly one gets `inserted`, the others `taken`; other
   * projects may have the URL too. Throws when its id is taken.
   */
  insertEndpoint(endpoint: Endpoint): Promise<'inserted' | 'taken'>;
  /**
   * Replaces an endpoint whose stored `version` is one less than the given one. Of N callers with one version exactly
   * one gets `updated`. `lost` means a conflict, and nothing was written: there is no such endpoint, the stored version is another
   * one, or another endpoint of the project has the URL.
   */
  updateEndpoint(endpoint: Endpoint): Promise<'updated' | 'lost'>;
  /** Returns every endpoint of the project, newest first. */
  listEndpoints(projectId: ProjectId): Promise<readonly Endpoint[]>;
  /** Returns the project's endpoint with this id; null when there is none, or when it is another project's. */
  findEndpoint(projectId: ProjectId, id: EndpointId): Promise<Endpoint | null>;
  /** Returns the newest endpoints of all projects, newest first, at most `limit`. */
  listNewestEndpoints(limit: number): Promise<readonly Endpoint[]>;

  /**
   * Claims pending deliveries whose `nextAttemptAt` is at or before `now`, soonest first, at most `limit`, and at most
   * `perEndpoint` of one endpoint: the rest of the limit goes to other endpoints. Those with one `nextAttemptAt` come in
   * any order. A claim is a lease: it moves
   * `nextAttemptAt` to `now + leaseMs` and changes nothing else, so `attempts` stays. Of N racing callers each due delivery
   * goes to exactly one.
   */
  claimDeliveries(
    now: Date,
    limit: number,
    perEndpoint: number,
    leaseMs: number,
  ): Promise<readonly ClaimedDelivery[]>;
  /**
   * Writes the result of an attempt. Of N callers that settle one attempt exactly one gets `settled`. `lost` means a
   * conflict, and nothing was written: there is no such delivery, it is no longer pending, or its `attempts` is not one less.
   */
  settleDelivery(delivery: Delivery): Promise<'settled' | 'lost'>;
  /**
   * Makes every pending delivery of the endpoint `failed`, all in one step: `settledAt` is `at`, and `nextAttemptAt` null.
   * Those that were delivered or failed before stay as they are.
   */
  failDeliveries(endpointId: EndpointId, at: Date): Promise<void>;
  /** Returns the deliveries of an event, newest first. */
  listDeliveries(eventId: EventId): Promise<readonly Delivery[]>;
  /** Returns the earliest `nextAttemptAt` of all pending deliveries, or null when none is pending. */
  nextDeliveryAt(): Promise<Date | null>;
}
