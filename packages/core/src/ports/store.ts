import type {
  ApiKey,
  Attempt,
  AttemptId,
  Delivery,
  Endpoint,
  EndpointId,
  Event,
  EventId,
  HeldForAccess,
  Plan,
  PlanId,
  Project,
  ProjectId,
  Subscription,
  SubscriptionId,
  Transfer,
} from '../records/index.js';
import type { EventType } from '../contract/enums.js';

/** A page of a list, newest first by (created_at, id). */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

/**
 * Where a page starts: right after the item with this id, or at the newest when null.
 * An id that is not in the list asked for makes the answer `unknown_cursor`.
 */
export interface PageRequest<Id> {
  readonly limit: number;
  readonly startingAfter: Id | null;
}

/** Who is asked about: exactly one of the three. */
export type Customer =
  | { readonly by: 'wallet'; readonly value: string }
  | { readonly by: 'external_id'; readonly value: string }
  | { readonly by: 'email'; readonly value: string };

/** Checkouts that one cap counts, and when the first of them makes room; null when there are none. */
export interface PendingCount {
  readonly count: number;
  readonly oldestExpiresAt: Date | null;
}

/** The wallet's signature of the terms, kept for ever: the proof that a charge was agreed (terms#signed-terms-are-kept). */
export interface SignedTerms {
  readonly subscriptionId: SubscriptionId;
  readonly message: string;
  /** Base58. */
  readonly signature: string;
  readonly signedAt: Date;
}

/** A next version of one subscription and all that comes with it. */
export interface Commit {
  /** `version` is one more than the stored row's; 1 inserts. */
  readonly subscription: Subscription;
  readonly attempts: readonly Attempt[];
  /** Inserted or, by id, replaced. */
  readonly transfers: readonly Transfer[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
  readonly signedTerms: SignedTerms | null;
}

/** A claimed subscription with all that its worker needs to go on. */
export interface ClaimedSubscription {
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly project: Project;
  /** Its unresolved transfer, if any. */
  readonly transfer: Transfer | null;
}

/** A claimed delivery with its event and endpoint. */
export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly event: Event;
  readonly endpoint: Endpoint;
}

/** Why a plan could not be written: another one of the project has the name or the slug. */
export type PlanClash = 'name' | 'slug';

/**
 * Storage, in the domain's words. Every method is one atomic step: it happens whole or not at all, and what it answered has
 * been made durable. Losing a race is a value. Throws `Unavailable` when the storage cannot serve now, and anything else
 * only for a fault.
 */
export interface StoreOperations {
  insertProject(project: Project): Promise<void>;
  findProject(id: ProjectId): Promise<Project | null>;
  listProjects(): Promise<readonly Project[]>;

  insertApiKey(key: ApiKey): Promise<void>;
  /** The live key with this hash and its project. A revoked key is not found. */
  findApiKey(hash: string): Promise<{ readonly key: ApiKey; readonly project: Project } | null>;
  /** Keeps when a key was last used. */
  touchApiKey(id: ApiKey['id'], at: Date): Promise<void>;
  /** Ends a key; an ended key keeps its first end. */
  revokeApiKey(id: ApiKey['id'], at: Date): Promise<void>;

  /** Inserts a plan, or says which of its names is taken. */
  insertPlan(plan: Plan): Promise<'inserted' | PlanClash>;
  /** Replaces a plan whose stored version is one less. */
  updatePlan(plan: Plan): Promise<'updated' | 'lost'>;
  findPlan(id: PlanId): Promise<Plan | null>;
  findPlanBySlug(projectId: ProjectId, slug: string): Promise<Plan | null>;
  /** Every active and sunset plan of the project, by slug. */
  listPublishedPlans(projectId: ProjectId): Promise<readonly Plan[]>;

  findSubscription(projectId: ProjectId, id: SubscriptionId): Promise<Subscription | null>;
  /**
   * Every subscription of a wallet to a plan but its expired checkouts, newest first. Anybody can leave expired ones behind
   * for any wallet: their number must not make this slower.
   */
  listByWalletAndPlan(planId: PlanId, wallet: string): Promise<readonly Subscription[]>;
  /** A customer's subscriptions, without superseded ones, with the plan of each. */
  listByCustomer(
    projectId: ProjectId,
    customer: Customer,
    planId: PlanId | null,
    page: PageRequest<SubscriptionId>,
  ): Promise<Page<{ readonly subscription: Subscription; readonly plan: Plan }> | 'unknown_cursor'>;
  /**
   * What access is told from (access#computed-at-the-instant-asked): a customer's subscriptions with the plan of each, newest first, to the plan with this slug
   * or to every plan when null. Without `expired` ones: they never answer (access#which-subscription-answers) and were never confirmed. A superseded one
   * never answers either, but tells since when its customer pays (access#subscribed-since).
   */
  listForAccess(
    projectId: ProjectId,
    customer: Customer,
    slug: string | null,
  ): Promise<readonly HeldForAccess[]>;
  /** Pending subscriptions of the project and, of them, the customer's: what the caps of checkout#pending-caps count. */
  countPending(
    projectId: ProjectId,
    customer: Customer,
  ): Promise<{ readonly project: PendingCount; readonly customer: PendingCount }>;
  /** Distinct wallets other than this one that hold a seat of the project (seats-and-tiers#what-a-seat-is). */
  countOtherSeats(projectId: ProjectId, wallet: string, now: Date): Promise<number>;

  /**
   * Writes next versions of subscriptions with everything that belongs to them, all or nothing. `lost` when any row moved on
   * meanwhile, or when a uniqueness that guards money would break: two open transfers of a subscription, two
   * landed ones or two paid attempts of a period, two running subscriptions of a wallet to a plan, two pending
   * ones of one customer and wallet to a plan. Nothing was written then.
   */
  commit(changes: readonly Commit[]): Promise<'committed' | 'lost'>;

  /**
   * Claims subscriptions whose `wakeAt` has come, soonest first, by moving `wakeAt` to `now + leaseMs` and counting
   * `version` up, so that no other worker sees them until the lease ends and a worker that outlived its lease
   * loses its commit. Of N callers at once each row goes to exactly one.
   */
  claimDue(now: Date, limit: number, leaseMs: number): Promise<readonly ClaimedSubscription[]>;
  /** The earliest `wakeAt` of all, or null. */
  nextWakeAt(): Promise<Date | null>;

  findOpenTransfer(subscriptionId: SubscriptionId): Promise<Transfer | null>;
  /** The transfer with this signature, of any subscription: no two have the same. */
  findTransferBySignature(signature: string): Promise<Transfer | null>;
  listTransfers(subscriptionId: SubscriptionId): Promise<readonly Transfer[]>;
  findSignedTerms(subscriptionId: SubscriptionId): Promise<SignedTerms | null>;

  /** Newest first by (attempted_at, id). */
  listAttempts(
    subscriptionId: SubscriptionId,
    page: PageRequest<AttemptId>,
  ): Promise<Page<Attempt> | 'unknown_cursor'>;
  /** The attempt that paid a period, if any. */
  findPaidAttempt(subscriptionId: SubscriptionId, periodStart: Date): Promise<Attempt | null>;

  findEvent(projectId: ProjectId, id: EventId): Promise<Event | null>;
  listEvents(
    projectId: ProjectId,
    since: Date,
    filter: { readonly type: EventType | null; readonly subscriptionId: SubscriptionId | null },
    page: PageRequest<EventId>,
  ): Promise<Page<Event> | 'unknown_cursor'>;

  /** `taken` when the project has an endpoint at that address already. */
  insertEndpoint(endpoint: Endpoint): Promise<'inserted' | 'taken'>;
  updateEndpoint(endpoint: Endpoint): Promise<'updated' | 'lost'>;
  listEndpoints(projectId: ProjectId): Promise<readonly Endpoint[]>;
  findEndpoint(projectId: ProjectId, id: EndpointId): Promise<Endpoint | null>;

  /** Claims due deliveries as `claimDue` claims subscriptions, at most `perEndpoint` of one endpoint (deliveries#in-flight-limit-per-endpoint). */
  claimDeliveries(
    now: Date,
    limit: number,
    perEndpoint: number,
    leaseMs: number,
  ): Promise<readonly ClaimedDelivery[]>;
  /** Writes an event's body if it has none yet, and answers the one that stands. */
  saveBodyIfAbsent(eventId: EventId, body: string): Promise<string>;
  /** Writes how an attempt went, when `attempts` is one more than stored and it is still pending. */
  settleDelivery(delivery: Delivery): Promise<'settled' | 'lost'>;
  /** Makes every pending delivery of an endpoint `failed` (deliveries#endpoint-failing-three-days). */
  failDeliveries(endpointId: EndpointId, at: Date): Promise<void>;
  listDeliveries(eventId: EventId): Promise<readonly Delivery[]>;
  nextDeliveryAt(): Promise<Date | null>;
}

/**
 * A store. `transaction` runs several operations as one: all become visible and durable together, or, when `work`
 * throws, none. `work` must use only the operations it is given; a transaction inside one is refused by type.
 */
export interface Store extends StoreOperations {
  transaction<T>(work: (operations: StoreOperations) => Promise<T>): Promise<T>;
}
