import { EventPage, EventsQuery, EventWire } from '../../contract/event.js';
import { operation } from '../operation.js';
import { listEvents, retrieveEvent } from './events.js';

/** Events: what happened to the subscriptions of a project. */
export const eventOperations = [
  operation({
    name: 'events.list',
    scope: 'project',
    method: 'GET',
    path: '/v1/events',
    limit: 'read',
    input: EventsQuery.prefault({}),
    output: EventPage,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'The events of the last 30 days, newest first, as they were delivered.',
    run: ({ service, project, input }) => listEvents(service, project, input),
  }),
  operation({
    name: 'events.retrieve',
    scope: 'project',
    method: 'GET',
    path: '/v1/events/{id}',
    limit: 'read',
    input: null,
    output: EventWire,
    status: 200,
    notFound: 'event_not_found',
    errors: [],
    summary: 'One event.',
    run: ({ service, project, id }) => retrieveEvent(service, project, id),
  }),
] as const;
