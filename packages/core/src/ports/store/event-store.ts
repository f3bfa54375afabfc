import type { EventType } from '../../contract/enums.js';
import type { SubscriptionEvent, EventId, Json, ProjectId, SubscriptionId } from '../../records/index.js';
import type { Page, PageRequest } from './page.js';
import type { WithUnreadable } from './unreadable-record.js';

/** Which events a list contains; null does not filter. */
export interface EventFilter {
  readonly type: EventType | null;
  readonly subscriptionId: SubscriptionId | null;
}

interface EventBody {
  readonly eventId: EventId;
  readonly body: string;
}

/** The place of a held event among all of them. */
export type HeldEventCursor = Pick<SubscriptionEvent, 'subscriptionId' | 'sequence'>;

/** Some of the held events. Unreadable events stay held. */
interface HeldEvents extends WithUnreadable {
  readonly held: readonly SubscriptionEvent[];
  /** The place of the last event, when there are as many as the limit; else null. */
  readonly next: HeldEventCursor | null;
}

/**
 * Reads events. `commit` writes them, together with their subscription. Only the body is added later, once,
 * and the `data` of held events: their `heldState` is not null.
 */
export interface EventStore {
  /** Returns the project's event with this id; null for none, another project's, and while it is held. */
  findEvent(projectId: ProjectId, id: EventId): Promise<SubscriptionEvent | null>;
  /**
   * Returns a page of the events created at `since` or later, in the order of their writing, newest first:
   * events of a later commit before those of an earlier one, and of one call of `commit` the last first.
   * Neither `createdAt` nor the id decides. A page starts after the place of its cursor in that order. A held
   * event is not listed. Once released, it has the place of an event that was written then.
   *
   * The order never changes, and an event never appears below one that a caller has seen: a caller that reads
   * until the last id it saw meets every event exactly once, however many callers write. A store whose
   * transactions may commit in another order than they began must give the places so that none is seen before
   * every earlier one of the project is committed: by a counter of the project that is locked until then.
   */
  listEvents(
    projectId: ProjectId,
    since: Date,
    filter: EventFilter,
    page: PageRequest<EventId>,
  ): Promise<Page<SubscriptionEvent> | 'unknown_cursor'>;
  /**
   * Stores the body of each event that has none yet, and returns the stored bodies in the order given. Of N
   * racing callers exactly one writes a body, and all get it. Throws when there is no such event.
   */
  saveBodiesIfAbsent(bodies: readonly EventBody[]): Promise<readonly string[]>;

  /**
   * Returns held events of all projects, by the id of their subscription and then by their sequence, at most
   * `limit`, and only those that follow `after`, when it is not null.
   */
  listHeldEvents(limit: number, after: HeldEventCursor | null): Promise<HeldEvents>;
  /**
   * Releases held events of a subscription, all in one step, and returns how many it released. Each gets the
   * snapshot of its id as its `data`, `heldState` null, and the next place in the list, in the order of their
   * sequence. An id that is not of a held event of the subscription is ignored.
   *
   * Waiting deliveries (pending, with a null `nextAttemptAt`) of all events of the subscription before the
   * first one still held become due at `at`. `hasHeldEvents` of the subscription becomes false when none is
   * held any more. Its `version` is incremented, so that a commit is `lost` when its caller read the
   * subscription before: none writes a delivery that waits for a released event. A call that releases none
   * does the rest all the same.
   */
  releaseEvents(
    subscriptionId: SubscriptionId,
    snapshots: ReadonlyMap<EventId, Json>,
    at: Date,
  ): Promise<number>;
}
