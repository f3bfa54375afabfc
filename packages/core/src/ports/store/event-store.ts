import type { EventType } from '../../contract/enums.js';
import type { SubscriptionEvent, EventId, ProjectId, SubscriptionId } from '../../records/index.js';
import type { Page, PageRequest } from './page.js';

/** Which events a list contains; null does not filter. */
export interface EventFilter {
  readonly type: EventType | null;
  readonly subscriptionId: SubscriptionId | null;
}

/** The body of an event. */
export interface EventBody {
  readonly eventId: EventId;
  readonly body: string;
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
   * Stores the body of each event that has none yet, and returns the stored bodies in the order given. Of N racing callers
   * exactly one writes, and all get the body it wrote. Throws when there is no such event.
   */
  saveBodiesIfAbsent(bodies: readonly EventBody[]): Promise<readonly string[]>;
}
