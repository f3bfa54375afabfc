import type { EventType } from '../../contract/enums.js';
import type { SubscriptionEvent, EventId, ProjectId, SubscriptionId } from '../../records/index.js';
import type { Page, PageRequest } from './page.js';

/** Which events a list contains; null does not filter. */
export interface EventFilter {
  readonly type: EventType | null;
  readonly subscriptionId: SubscriptionId | null;
}

/** Reads events. They are written by `commit`, together with their subscription; only the body is added later, once. */
export interface EventStore {
  /** Returns the project's event with this id; null when there is none, or when it is another project's. */
  findEvent(projectId: ProjectId, id: EventId): Promise<SubscriptionEvent | null>;
  /**
   * Returns a page of the events created at `since` or later, in the order in which they were written, newest first: those
   * of a later commit before those of an earlier one, and the last of the events of one call of `commit` first. Neither
   * `createdAt` nor the id decides. A page starts after the place of its cursor in that order.
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
   * Stores an event's body if it has none yet, and returns the stored body. Of N racing callers exactly one writes, and
   * all get the body it wrote. Throws when there is no such event.
   */
  saveBodyIfAbsent(eventId: EventId, body: string): Promise<string>;
}
