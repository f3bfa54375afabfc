import type { Random } from '../ports/random.js';
import { newId, type Delivery, type Endpoint, type SubscriptionEvent } from '../records/index.js';

/**
 * Makes the deliveries of new events: one for each event and each endpoint that is enabled and selects its type, due at
 * once. `endpoints` are those of the events' project, as read when the events are written.
 * @param isWaiting whether an event waits for one that is held, so that its deliveries are not due before that is released
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
      .map((endpoint) => ({
        id: newId(random, 'dlv'),
        projectId: event.projectId,
        eventId: event.id,
        endpointId: endpoint.id,
        state: 'pending',
        attempts: 0,
        nextAttemptAt: isWaiting(event) ? null : now,
        lastStatus: null,
        lastExcerpt: null,
        createdAt: now,
        settledAt: null,
      })),
  );
}
