import type { AttemptOutcome, SubscriptionStatus } from '../../contract/enums.js';
import type {
  Attempt,
  AttemptId,
  Delivery,
  DeliveryId,
  DueSubscription,
  EndpointId,
  EventId,
  Plan,
  PlanId,
  ProjectId,
  Refund,
  Seller,
  Subscription,
  SubscriptionId,
} from '../../records/index.js';
import type { Page, PageRequest } from './page.js';
import type { WithUnreadable } from './unreadable-record.js';

/** The filters of a search, which finds the subscriptions that fit all of them. Null does not filter. */
export interface SubscriptionFilter {
  readonly id: SubscriptionId | null;
  /** The address of the subscription's account. A wallet's subscriptions to one plan share it. */
  readonly address: string | null;
  readonly wallet: string | null;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly planId: PlanId | null;
  /** The status at the instant of the search: a subscription whose cancellation has expired is `ended`. */
  readonly status: SubscriptionStatus | null;
  /** Whether it is unpaid and not parked. */
  readonly late: boolean | null;
  /** Whether its `blockedSince` is set. */
  readonly blocked: boolean | null;
  /** Whether it is late or blocked. */
  readonly failing: boolean | null;
  /** Whether it is cancelled and not over then, or active or unpaid with a plan that has an end. */
  readonly ending: boolean | null;
}

/** The waiting work of all projects. A number that reaches the limit may be higher. */
interface Backlog {
  /** Subscriptions whose `wakeAt` has come. */
  readonly wakes: number;
  /** Wakes whose `nextTryAt` has come too, among the earliest wakes within the limit. */
  readonly charges: number;
  /** Pending deliveries, whether they are due or not. */
  readonly deliveries: number;
  /** The earliest `createdAt` of all pending deliveries; null when there are none. */
  readonly oldestDeliveryAt: Date | null;
  /** The earliest `createdAt` of all held events; null when there are none. */
  readonly oldestHeldEventAt: Date | null;
}

export interface SubscriptionWithPlan {
  readonly subscription: Subscription;
  readonly plan: Plan;
}

/** The subscriptions that a search found. */
export interface FoundSubscriptions extends WithUnreadable {
  /** Newest first. */
  readonly found: readonly SubscriptionWithPlan[];
  /** The subscription after which the search goes on; null at its end. */
  readonly next: SubscriptionId | null;
}

/** The number of subscriptions that a search would find. */
export interface SubscriptionsCounted {
  readonly count: number;
  readonly more: boolean;
  readonly charged: readonly { readonly planId: PlanId; readonly count: number }[];
}

/** The filters of a list of payments, which has the attempts that fit all of them. Null does not filter. */
export interface PaymentFilter extends Pick<
  SubscriptionFilter,
  'id' | 'address' | 'wallet' | 'externalId' | 'email' | 'planId'
> {
  /** Only attempts made at this instant or later. */
  readonly since: Date | null;
  /** Only attempts made before this instant. */
  readonly until: Date | null;
  /** The token of the plan. */
  readonly mint: string | null;
  readonly outcome: AttemptOutcome | null;
  readonly reason: string | null;
  /** The transaction of the attempt, by which a transfer of its subscription is known too. */
  readonly signature: string | null;
}

/** An attempt of any subscription, with its plan and its customer. */
export interface Payment {
  readonly attempt: Attempt;
  readonly subscription: Pick<Subscription, 'wallet' | 'externalId' | 'email'>;
  readonly plan: Plan;
}

/** The attempts that a list of payments found. */
export interface FoundPayments extends WithUnreadable {
  /** Newest first. */
  readonly found: readonly Payment[];
  /** The attempt after which the list goes on; null at its end. */
  readonly next: AttemptId | null;
}

/** What the refunds of an attempt, and those by a transaction, come to at most. */
interface RefundLimits {
  /** The amount of the attempt. */
  readonly charged: bigint;
  /** The wallet of the attempt's subscription, and the token of its plan. */
  readonly wallet: string;
  readonly mint: string;
  /** What the transaction brought to that wallet in that token. */
  readonly received: bigint;
}

/** Whether a refund was inserted, or else why nothing was. */
type RefundInserted = 'inserted' | 'recorded' | 'nothing_charged_left' | 'nothing_received_left';

/** The refunds of some attempts. One that cannot be read is in `unreadable` by the id of its attempt. */
interface ListedRefunds extends WithUnreadable {
  readonly refunds: readonly Refund[];
}

/** The place of a subscription in a list by date, soonest first, and by id within one instant. */
export interface DuePlace {
  readonly at: Date;
  readonly id: SubscriptionId;
}

/** Running subscriptions by their next date, soonest first. */
export interface DueSubscriptions extends WithUnreadable {
  readonly due: readonly { readonly subscription: DueSubscription; readonly plan: Plan }[];
  /** The place after which further ones follow; null when none does. */
  readonly next: DuePlace | null;
}

/** The facts of an attempt that a report counts, with its plan. */
export interface ReportedAttempt extends Pick<
  Attempt,
  'id' | 'attemptedAt' | 'outcome' | 'reason' | 'amount' | 'amountUsd' | 'fee' | 'retry' | 'retryNumber'
> {
  readonly planId: PlanId;
}

/** The last attempt of a part of a list. */
export type AttemptPlace = Pick<Attempt, 'id' | 'attemptedAt'>;

/** A part of the attempts of a project. */
interface ReportedAttempts extends WithUnreadable {
  readonly attempts: readonly ReportedAttempt[];
  /** The place after which further ones follow; null when none does. */
  readonly next: AttemptPlace | null;
}

/** How many subscriptions to a plan run, by their status. */
export interface RunningCount {
  readonly planId: PlanId;
  readonly status: 'active' | 'unpaid' | 'cancelled';
  readonly count: number;
  /** The number of them that are parked. */
  readonly parked: number;
  /** The number of them that are blocked. */
  readonly blocked: number;
}

/** Which deliveries a list contains; null does not filter. */
interface DeliveryFilter {
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId | null;
  readonly state: Delivery['state'] | null;
}

/** An attempt without a USD amount, and the facts that the amount depends on. */
export interface UnpricedAttempt extends Pick<Attempt, 'id' | 'attemptedAt' | 'outcome' | 'amount'> {
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  /** The token of the plan, and its decimals. */
  readonly mint: string;
  readonly decimals: number;
}

/**
 * A capability: searches over a project, reports, lists of deliveries, later prices of attempts, refunds, and
 * sellers.
 */
export interface ReportStore {
  /**
   * Finds the project's subscriptions of any status, newest first: at most `page.limit`, unreadable ones too.
   *
   * `page.startingAfter` is any subscription of the project, also one that does not fit, because a
   * subscription may change between two pages; `unknown_cursor` when the project has none with that id. A
   * caller that goes on at `next` until it is null meets every subscription that fits all the while exactly
   * once, whatever is written meanwhile.
   *
   * A call looks at no more than a fixed number of subscriptions, so that it takes no longer in a large
   * project. When few of them fit, it finds fewer than `page.limit`, or none, and `next` says where to go on.
   */
  searchSubscriptions(
    projectId: ProjectId,
    filter: SubscriptionFilter,
    now: Date,
    page: PageRequest<SubscriptionId>,
  ): Promise<FoundSubscriptions | 'unknown_cursor'>;
  /**
   * Counts the subscriptions that a search would find, at most `limit` of them, looking at a fixed number of
   * others besides. `more` says that there may be further ones. `charged` says how many of the counted ones
   * are charged again, by plan in any order: active or unpaid, not parked, with signed terms, and with a
   * `nextTryAt` before the end of the plan, if it has one.
   */
  countSubscriptions(
    projectId: ProjectId,
    filter: SubscriptionFilter,
    now: Date,
    limit: number,
  ): Promise<SubscriptionsCounted>;
  /**
   * Finds attempts of all subscriptions of the project, newest first: at most `page.limit`, unreadable ones
   * too. `page.startingAfter` is any attempt of the project; `unknown_cursor` when the project has none with
   * that id. Pages, and how much a call looks at, are as of `searchSubscriptions`.
   */
  searchPayments(
    projectId: ProjectId,
    filter: PaymentFilter,
    page: PageRequest<AttemptId>,
  ): Promise<FoundPayments | 'unknown_cursor'>;
  /** Returns the attempt with this id, with its customer and its plan; null for none or another project's. */
  findPayment(projectId: ProjectId, id: AttemptId): Promise<Payment | null>;
  /**
   * Inserts a refund of a stored attempt, whose amount is the lesser of what is left: of the attempt's
   * `charged` after its other refunds, and of what the transaction brought (`received`) after its other
   * refunds of that wallet in that token, of whatever project. `recorded` means that the transaction is
   * stored for this attempt, and the others that nothing is left; then nothing was written. Of N racing
   * callers no two pass either limit together.
   */
  insertRefund(refund: Omit<Refund, 'amount'>, limits: RefundLimits): Promise<RefundInserted>;
  /** Returns the refunds of these attempts, those of one attempt in the order in which they were recorded. */
  listRefunds(attemptIds: readonly AttemptId[]): Promise<ListedRefunds>;
  /** Stores the seller of a project, in place of what was stored. Of N callers one stays. */
  saveSeller(seller: Seller): Promise<void>;
  /** Returns the seller of a project; null when nothing was stored. */
  findSeller(projectId: ProjectId): Promise<Seller | null>;
  /**
   * Counts the waiting work, each number up to a limit, so that a large backlog takes no longer than a small
   * one. The two dates are of all waiting work, whatever the limit.
   */
  countBacklog(now: Date, limit: number): Promise<Backlog>;
  /** Returns the earliest `nextAttemptAt` of all pending deliveries, or null when none has one. */
  nextDeliveryAt(): Promise<Date | null>;
  /** Counts the held events of a subscription. */
  countHeldEvents(subscriptionId: SubscriptionId): Promise<number>;
  /** Returns at most `limit` deliveries of the subscription's events, newest first. */
  listSubscriptionDeliveries(subscriptionId: SubscriptionId, limit: number): Promise<readonly Delivery[]>;
  /** Returns a page of the project's deliveries, newest first. */
  listProjectDeliveries(
    projectId: ProjectId,
    filter: DeliveryFilter,
    page: PageRequest<DeliveryId>,
  ): Promise<Page<Delivery> | 'unknown_cursor'>;

  /**
   * Returns the project's subscriptions that are active, unpaid or cancelled, parked or not, and have a
   * `nextTryAt`, by that date and then by id: at most `limit`, unreadable ones included, and only those that
   * follow `after`, when it is not null, and whose date is before `until`, when it is given. A store returns
   * the fields of `DueSubscription`, or whole records.
   */
  listByNextTry(
    projectId: ProjectId,
    after: DuePlace | null,
    limit: number,
    until?: Date,
  ): Promise<DueSubscriptions>;
  /**
   * Returns the project's subscriptions that are active or unpaid, parked or not, and whose plan has an end,
   * by the `endsAt` of the plan and then by their id, like `listByNextTry`.
   */
  listByPlanEnd(projectId: ProjectId, after: DuePlace | null, limit: number): Promise<DueSubscriptions>;

  /**
   * Returns attempts of all subscriptions of the project made at `since` or later and before `until`, oldest
   * first and by id within one instant: at most `limit`, unreadable ones included, and only those that follow
   * `after`, when it is not null.
   */
  listProjectAttempts(
    projectId: ProjectId,
    since: Date,
    until: Date,
    after: AttemptPlace | null,
    limit: number,
  ): Promise<ReportedAttempts>;
  /** Counts the project's active, unpaid and cancelled subscriptions, by plan and status, in any order. */
  countRunning(projectId: ProjectId): Promise<readonly RunningCount[]>;
  /**
   * Returns at most `limit` attempts without a USD amount made at `since` or later, oldest first and by id
   * within one instant, and only those that follow `after`, when it is not null.
   */
  listUnpricedAttempts(
    since: Date,
    after: Pick<UnpricedAttempt, 'id' | 'attemptedAt'> | null,
    limit: number,
  ): Promise<readonly UnpricedAttempt[]>;
  /**
   * Sets the USD amount of attempts that have none, and returns the attempts whose amount it set, in any
   * order. An attempt keeps the amount that it has: of N racing callers one sets it.
   */
  priceAttempts(amountsUsd: ReadonlyMap<AttemptId, string>): Promise<readonly AttemptId[]>;
}
