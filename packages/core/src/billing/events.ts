import type { EventPage, EventsQueryInput, EventWire } from '../contract/event.js';

/** Events: what happened to the subscriptions of a project, kept for 30 days. */
export interface EventFunctions {
  /**
   * Lists events newest first, as webhooks deliver them, `limit` (1 to 100, 25 when absent) at a time.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.events.list({ subscription: id, limit: 100 });
   * for (const { sequence, type } of data) console.log(sequence, type);
   */
  list(query?: EventsQueryInput): Promise<EventPage>;
  /**
   * Reads one event. Refuses with `not_found` or `event_not_found`.
   *
   * @example
   * const { type, data } = await shop.events.retrieve(eventId);
   */
  retrieve(id: string): Promise<EventWire>;
}
