import type { EventType } from '../../contract/enums.js';
import type { SubscriptionEvent, EventId, Json, ProjectId, SubscriptionId } from '../../records/index.js';
import type { Page, PageRequest } from './page.js';
import type { WithUnreadable } from './unreadable-record.js';

/** Which events a list contains; null does not filter. */
export interface EventFilter {
  readonly type: EventType | null;
  readonly subscriptionId: SubscriptionId | null;
}

/** The body of an event. */
interface EventBody {
  readonly eventId: EventId;
  readonly body: string;
}

/** Where a held event is among all of them. */
export type HeldEventCursor = Pick<SubscriptionEvent, 'subscriptionId' | 'sequence'>;

/** Some of the held events. Unreadable events stay held. */
interface HeldEvents extends WithUnreadable {
  readonly held: readonly SubscriptionEvent[];
  /** The place after which further ones may follow; null when none does. */
  readonly next: HeldEventCursor | null;
}

/**
 * Reads events. They are written by `commit`, together with their subscription. Only the body is added later, once, and the
 * `data` of events that are held, which are those whose `heldState` is not null.
 */
export interface EventStore {
  /** Returns the project's event with this id; null when there is none, when it is another project's, or while it is held. */
  findEvent(projectId: ProjectId, id: EventId): Promise<SubscriptionEvent | null>;
  /**
   * Returns a page of the events created at `since` or later, in the order in which they were written, newest first: those
   * of a later commit before those of an earlier one, and the last of the events of one call of `commit` first. Neither
   * `createdAt` nor the id decides. A page starts after the place of its cursor in that order. An event that is held is
   * not listed. Once released, it has the place of an event that was written then.
   *
   * The order never changes, and an event never appears below one that a caller has seen: whoever reads until the last id
   * it saw meets every event exactly once, however many callers write. A store whose transactions may commit in another
   * order than they began must give the places so that none is seen before every earlier one of the project is committed:
   * for example from a counter of the project whose row stays locked until the commit ends.
   */
  listEvents(
    projectId: ProjectId,
    since: Date,
    filter: EventFilter,
    page: PageRequest<EventId>,
  ): Promise<Page<SubscriptionEvent> | 'unknown_cursor'>;
  /**
   * Stores the body of each event that has none yet, and returns the stored bodies in the order given. Of N racing callers
   * exactly one writes, and all get the body it wrote. Throws when there is no such event.
   */
  saveBodiesIfAbsent(bodies: readonly EventBody[]): Promise<readonly string[]>;

  /**
   * Returns held events of all projects, by the id of their subscription and then by their sequence, at most `limit`: those
   * that follow `after`, when it is not null.
   */
  listHeldEvents(limit: number, after: HeldEventCursor | null): Promise<HeldEvents>;
  /**
   * Releases held events of a subscription, all in one step, and returns how many it released. Each gets the snapshot that is
   * given for its id as its `data`, `heldState` null, and the next place in the list, those of one call in the order of their
   * sequence. An id that is not that of a held event of the subscription is ignored.
   *
   * Deliveries that wait (they are pending, and their `nextAttemptAt` is null) become due at `at`, of all events of the
   * subscription that come before the first one which is still held. The `hasHeldEvents` of the subscription becomes false
   * when none is held any more. Its `version` is incremented, so that a commit is `lost` when its caller read the
   * subscription before: none writes a delivery that waits for an event which is released.
   */
  releaseEvents(
    subscriptionId: SubscriptionId,
    snapshots: ReadonlyMap<EventId, Json>,
    at: Date,
  ): Promise<number>;
}
