import type { Random } from '../ports/random.js';
import {
  newId,
  type Delivery,
  type Endpoint,
  type EndpointId,
  type SubscriptionEvent,
} from '../records/index.js';

/**
 * Makes the deliveries of new events: one for each event and each endpoint that is enabled and selects its type, due at
 * once. `endpoints` are those of the events' project, as read when the events are written.
 */
export function createDeliveries(
  events: readonly SubscriptionEvent[],
  endpoints: readonly Endpoint[],
  random: Random,
  now: Date,
): readonly Delivery[] {
  return events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.enabled && endpoint.types.includes(event.type))
      .map((endpoint) => newDelivery(event, endpoint.id, random, now)),
  );
}

/** Makes the delivery of an event to an endpoint, due at once. */
export function newDelivery(
  { id: eventId, projectId, type }: Pick<SubscriptionEvent, 'id' | 'projectId' | 'type'>,
  endpointId: EndpointId,
  random: Random,
  now: Date,
): Delivery {
  return {
    id: newId(random, 'dlv'),
    projectId,
    eventId,
    endpointId,
    type,
    state: 'pending',
    attempts: 0,
    attemptsBefore: 0,
    nextAttemptAt: now,
    lastStatus: null,
    lastExcerpt: null,
    createdAt: now,
    settledAt: null,
  };
}
