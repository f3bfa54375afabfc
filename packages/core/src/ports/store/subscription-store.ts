import type {
  AccessInput,
  AddedFigures,
  Plan,
  PlanId,
  Project,
  ProjectId,
  SessionId,
  Subscription,
  SubscriptionId,
  Transfer,
} from '../../records/index.js';
import type { Commit } from './commit.js';
import type { Page, PageRequest } from './page.js';
import type { WithUnreadable } from './unreadable-record.js';

/**
 * A customer, identified in exactly one of three ways. It finds the subscriptions of one project whose field
 * of that name has exactly this value: an email never matches an equal external id.
 */
export type Customer =
  | { readonly by: 'wallet'; readonly value: string }
  | { readonly by: 'external_id'; readonly value: string }
  | { readonly by: 'email'; readonly value: string };

/** Whose a pending checkout is: a session's that reserves it, or else a customer's. */
export type PendingOwner = Customer | { readonly by: 'session'; readonly value: SessionId };

/**
 * The number of pending checkouts, and when the first of them expires; `oldestExpiresAt` is null without any.
 * A checkout is pending by its status, also when its `checkoutExpiresAt` has passed.
 */
export interface PendingCount {
  readonly count: number;
  readonly oldestExpiresAt: Date | null;
}

/**
 * The place of a parked subscription in its project: by `pausedAt`, then by `confirmedAt`, which is
 * `createdAt` where the subscription has none, then by wallet and id.
 */
export interface ParkedPlace {
  readonly pausedAt: Date;
  readonly confirmedAt: Date;
  readonly wallet: string;
  readonly id: SubscriptionId;
}

/** A parked subscription in its place, and whether its wallet holds a seat through another one. */
export interface ParkedSubscription extends ParkedPlace {
  readonly hasSeat: boolean;
}

/** Some wallets of a project, as of one moment. */
interface SeatsOfWallets {
  /**
   * Every active, unpaid or cancelled subscription of these wallets, whatever its expiry, parked or not, in
   * any order.
   */
  readonly subscriptions: readonly Subscription[];
  /**
   * The number of seats that all wallets of the project hold: as of the moment of the subscriptions, or,
   * without any, of a moment of the call.
   */
  readonly seats: number;
}

/** A claimed subscription with the records its worker needs. */
export interface ClaimedSubscription {
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly project: Project;
  /** Its open transfer, or null. */
  readonly transfer: Transfer | null;
}

/** The subscriptions that a claim took. Unreadable ones are leased too, so they hold up none. */
export interface Claims extends WithUnreadable {
  readonly claimed: readonly ClaimedSubscription[];
}

/** The subscriptions whose access ended by its date. */
export interface AccessEnds extends WithUnreadable {
  readonly ended: readonly ClaimedSubscription[];
}

/** Stores subscriptions. Only `commit` changes a subscription, and only `claimDue` leases one to a worker. */
export interface SubscriptionStore {
  /** Returns the project's subscription with this id; null for none or another project's. */
  findSubscription(projectId: ProjectId, id: SubscriptionId): Promise<Subscription | null>;
  /**
   * Returns every subscription of a wallet to a plan but expired checkouts, newest first, superseded ones
   * too. Anyone can create checkouts for any wallet, which expire: their number must not make this slower.
   */
  listByWalletAndPlan(planId: PlanId, wallet: string): Promise<readonly Subscription[]>;
  /**
   * Returns a page of a customer's subscriptions with their plans, newest first: to one plan, or to every
   * plan when `planId` is null. It has expired checkouts, and no superseded subscriptions, which are no
   * cursor.
   */
  listByCustomer(
    projectId: ProjectId,
    customer: Customer,
    planId: PlanId | null,
    page: PageRequest<SubscriptionId>,
  ): Promise<Page<{ readonly subscription: Subscription; readonly plan: Plan }> | 'unknown_cursor'>;
  /**
   * Returns the input of access: a customer's subscriptions with their plans, newest first, to the plans with
   * this slug, of whatever status (`failed` plans may share a slug), or to every plan when `slug` is null.
   * Expired checkouts are left out: they never grant access. Superseded subscriptions are included: they date
   * the first payment. A store returns the fields of `AccessInput`, or whole records.
   */
  listForAccess(
    projectId: ProjectId,
    customer: Customer,
    slug: string | null,
  ): Promise<readonly AccessInput[]>;
  /**
   * Counts the pending checkouts of the project, and the owner's among them. Each count has its own
   * `oldestExpiresAt`. The owner's checkouts are:
   * - of a session: those with that `reservedFor`, whatever else they name;
   * - of an external id: those with that external id, whatever their email and wallet;
   * - of an email: those with that email and no external id;
   * - of a wallet: those with that wallet, no external id and no email.
   *
   * Those of a customer have no `reservedFor`. So a checkout that somebody else opened for the same wallet or
   * email is not counted.
   */
  countPending(
    projectId: ProjectId,
    owner: PendingOwner,
  ): Promise<{ readonly project: PendingCount; readonly customer: PendingCount }>;
  /**
   * Returns the wallets that hold a seat of the project at `now` beyond the first `seats`, at most `limit`,
   * the last one first. Seats are ordered by the earliest `confirmedAt`, or `createdAt` where that is null,
   * of the subscriptions that hold the seat, and then by wallet. All of it is as of one moment, so that no
   * seat taken or lost meanwhile moves another wallet beyond the first. It may take longer the more seats
   * there are: it is called only when there are too many.
   */
  listSeatsOver(projectId: ProjectId, seats: number, now: Date, limit: number): Promise<readonly string[]>;
  /**
   * Returns the parked subscriptions of the project (`pausedAt` is set) that follow `after`, in the order of
   * `ParkedPlace`, at most `limit`: fewer only when no more follow. `hasSeat` is of `now`, as `findSeats`
   * counts seats. It must take no longer than `limit` allows, however many subscriptions are parked or not.
   */
  listParked(
    projectId: ProjectId,
    now: Date,
    after: ParkedPlace | null,
    limit: number,
  ): Promise<readonly ParkedSubscription[]>;
  /**
   * Reads the running subscriptions of these wallets of the project, and counts its seats at `now`, up to
   * `most`. A wallet holds one seat of a project through any number of subscriptions that are active or
   * unpaid, or cancelled with an `expiresAt` after `now`, and not parked (`pausedAt` is null). Without
   * wallets it only counts.
   *
   * All of it is as of one moment, so that a seat that one of the wallets takes or loses meanwhile is counted
   * exactly when it is among the subscriptions. Anyone can create checkouts: their number must not slow this.
   */
  findSeats(
    projectId: ProjectId,
    wallets: readonly string[],
    now: Date,
    most: number,
  ): Promise<SeatsOfWallets>;

  /**
   * Writes the next versions of subscriptions, at most one of each, with all rows that belong to them. Either
   * every row of every change becomes durable, or none does. No changes at all are `committed`.
   *
   * Of N callers that commit one version of a subscription exactly one gets `committed`. `lost` means a
   * conflict, and nothing was written: the stored version of a subscription is not one less than the given
   * one, or the commit would break one of these rules. The storage itself enforces them, so that no fault
   * above it can break them, on the rows as they are after the whole commit: a row may take what another row
   * of the commit, in whatever order they are given, frees by its new `status` or `state`:
   * - a subscription has one open transfer;
   * - no two landed transfers of a subscription have the same `periodStart`, and no two have none;
   * - no two paid attempts of a subscription have the same `periodStart`, unless it is null;
   * - a wallet has one running (active or unpaid, parked or not) subscription to a plan;
   * - a wallet has one pending checkout of a plan per `previousId` and owner: one for each `reservedFor`,
   *   whatever it names; of those without it one for each external id, whatever its email; of those without
   *   an external id one for each email; and one without either;
   * - a transfer's `signature` with its `paymentIndex` is unique among all subscriptions;
   * - the sequence of an event, and the signature of terms, are unique within their subscription;
   * - an event has one delivery to an endpoint;
   * - the id of an attempt, an event and a delivery is unique.
   *
   * After `lost` the caller reads the records and decides again.
   *
   * @param figures what the changes add to the figures of each plan and day, as by `addFigures`, for a store
   *   with `FigureStore`; nothing when left out
   */
  commit(changes: readonly Commit[], figures?: readonly AddedFigures[]): Promise<'committed' | 'lost'>;

  /**
   * Claims subscriptions whose `wakeAt` is at or before `now`, whatever their status, soonest first, at most
   * `limit`; those of one `wakeAt` in any order. When more are due, the projects share the claim, so that the
   * many of one project do not hold up the few of another: each project with due subscriptions gives its
   * soonest, at most `limit` divided by the number of such projects and rounded up. When the shares add up to
   * more than `limit`, the projects due soonest go first, so that none waits for ever. So a claim may take
   * fewer than `limit` and leave due ones; a claim of none leaves none.
   *
   * A claim is a lease: it moves `wakeAt` to `now + leaseMs`, so that no other worker claims the subscription
   * until then. It also increments `version`, so that the commit of a caller that read the subscription
   * before is `lost`, also of a worker whose lease has ended. It changes nothing else, and returns the
   * subscription as it is after the claim. Of N racing callers each due subscription goes to exactly one.
   */
  claimDue(now: Date, limit: number, leaseMs: number): Promise<Claims>;
  /**
   * Returns the subscriptions whose `accessEndsAt` is at or before `now`, soonest first, at most `limit`,
   * leased and unreadable ones included, with the records their worker needs. Changes nothing.
   */
  listAccessEnds(now: Date, limit: number): Promise<AccessEnds>;
  /**
   * Makes running subscriptions of a plan due at `at`: those active, unpaid or cancelled, parked or not,
   * whose `wakeAt` is later or null, at most `limit`, in any order. Sets `wakeAt` and `nextCheckAt` to `at`
   * and increments `version`, so that a commit is `lost` when its caller read the subscription before.
   * Returns how many it changed: fewer than `limit` mean that none is left.
   */
  wakeSubscribers(planId: PlanId, at: Date, limit: number): Promise<number>;
  /** Returns the earliest `wakeAt` of all subscriptions, leased ones included, or null when none has one. */
  nextWakeAt(): Promise<Date | null>;
}
