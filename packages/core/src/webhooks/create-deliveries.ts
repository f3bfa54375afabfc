import type { Random } from '../ports/random.js';
import {
  newId,
  type Delivery,
  type Endpoint,
  type EndpointId,
  type SubscriptionEvent,
} from '../records/index.js';

/**
 * Makes the deliveries of new events: one for each event and each enabled endpoint that selects its type, due
 * at once.
 * @param isWaiting whether an event waits for a held one: its deliveries are not due yet
 */
export function createDeliveries(
  events: readonly SubscriptionEvent[],
  endpoints: readonly Endpoint[],
  random: Random,
  now: Date,
  isWaiting: (event: SubscriptionEvent) => boolean = () => false,
): readonly Delivery[] {
  return events.flatMap((event) =>
    endpoints
      .filter((endpoint) => endpoint.enabled && endpoint.types.includes(event.type))
      .map((endpoint) => newDelivery(event, endpoint.id, random, now, isWaiting(event) ? null : now)),
  );
}

/** Makes the delivery of an event to an endpoint, or of a test, whose id is null. The default is due now. */
export function newDelivery(
  {
    id: eventId,
    projectId,
    type,
  }: { readonly id: Delivery['eventId'] } & Pick<Delivery, 'projectId' | 'type'>,
  endpointId: EndpointId,
  random: Random,
  now: Date,
  nextAttemptAt: Date | null = now,
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
    nextAttemptAt,
    lastStatus: null,
    lastExcerpt: null,
    createdAt: now,
    settledAt: null,
  };
}
