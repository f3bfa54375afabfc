import { EventPage, EventsQuery, EventWire, type EventsQueryInput } from '../../contract/event.js';
import { operation } from '../operation.js';
import { listEvents, retrieveEvent } from './read-events.js';

export const eventOperations = {
  /**
   * Lists events newest first, as webhooks deliver them, `limit` (1 to 100, 25 when absent) at a time.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { data } = await shop.events.list({ subscription: id, limit: 100 });
   * for (const { sequence, type } of data) console.log(sequence, type);
   */
  list: operation<(query?: EventsQueryInput) => Promise<EventPage>>()({
    method: 'GET',
    path: '/v1/events',
    input: EventsQuery.prefault({}),
    output: EventPage,
    summary: 'The events of the last 30 days, newest first, as they were delivered.',
    run: ({ service, project, input }) => listEvents(service, project, input),
  }),
  /**
   * Reads one event. Refuses with `not_found` or `event_not_found`.
   *
   * @example
   * const { type, data } = await shop.events.retrieve(eventId);
   */
  retrieve: operation<(id: string) => Promise<EventWire>>()({
    method: 'GET',
    path: '/v1/events/{id}',
    output: EventWire,
    notFound: 'event_not_found',
    summary: 'One event.',
    run: ({ service, project, id }) => retrieveEvent(service, project, id),
  }),
};
