import type { Random } from '../ports/random.js';
import { newId, type Delivery, type Endpoint, type SubscriptionEvent } from '../records/index.js';

/**
 * deliveries#one-delivery-per-endpoint: one delivery for each event and each endpoint that is enabled and selects its type, first attempted at once.
 * `endpoints` are those of the events' project, as they stand when the events are written.
 */
export function deliveriesFor(
  events: readonly SubscriptionEvent[],
  endpoints: readonly Endpoint[],
  random: Random,
  now: Date,
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
        nextAttemptAt: now,
        lastStatus: null,
        lastExcerpt: null,
        createdAt: now,
        settledAt: null,
      })),
  );
}
