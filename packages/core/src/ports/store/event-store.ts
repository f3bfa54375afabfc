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
  /** Returns a page of the events created at `since` or later, ordered by `createdAt`, newest first. */
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
