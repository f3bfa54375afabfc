import type * as z from 'zod';

import type {
  DeliveriesQuery,
  DeliveryPage,
  DeliveryWire,
  DeliveryWithAttempts,
  ResendInput,
} from './schemas.js';
import { ServiceError } from '../../contract/errors.js';
import type { DeliveryId, EndpointId, EventId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { newDelivery } from '../../webhooks/create-deliveries.js';
import { deliveryWire, deliveryWithAttempts } from './delivery-wire.js';
import { requireEndpoint, requireEnabled } from '../endpoints/require-endpoint.js';
import { availableSince } from '../../operations/events/events.js';
import { unknownCursor } from '../../operations/subscriptions/list.js';

/** Lists the project's deliveries, newest first. */
export async function listDeliveries(
  { store }: Service,
  project: Project,
  { endpoint, event, state, limit, starting_after }: DeliveriesQuery,
): Promise<DeliveryPage> {
  const page = await store.listProjectDeliveries(
    project.id,
    {
      endpointId: (endpoint ?? null) as EndpointId | null,
      eventId: (event ?? null) as EventId | null,
      state: state ?? null,
    },
    { limit, startingAfter: (starting_after ?? null) as DeliveryId | null },
  );
  if (page === 'unknown_cursor') throw unknownCursor();
  return { data: page.data.map(deliveryWire), has_more: page.hasMore };
}

/** Reads one delivery with its attempts. Throws `not_found`. */
export async function retrieveDelivery(
  { store }: Service,
  project: Project,
  id: string,
): Promise<DeliveryWithAttempts> {
  const delivery = await store.findDelivery(project.id, id as DeliveryId);
  if (delivery === null) {
    throw new ServiceError('not_found', { message: 'No delivery of this project has that id.' });
  }
  return deliveryWithAttempts(delivery, await store.listDeliveryAttempts(delivery.id));
}

/**
 * Sends an event to an endpoint again, now, with the same id and the same bytes (deliveries#resend). An event that has no
 * delivery to the endpoint gets one.
 */
export async function resendDelivery(
  service: Service,
  project: Project,
  { event: eventId, endpoint: endpointId }: z.output<typeof ResendInput>,
): Promise<DeliveryWire> {
  const { store, random, wallClock } = service;
  const endpoint = await requireEndpoint(store, project, endpointId);
  requireEnabled(endpoint);
  const event = await store.findEvent(project.id, eventId as EventId);
  if (event === null || event.createdAt < availableSince(service, project)) {
    throw new ServiceError('event_not_found');
  }
  const now = wallClock.now();
  const [inserted] = await store.insertDeliveries([newDelivery(event, endpoint.id, random, now)]);
  if (inserted !== undefined) return deliveryWire(inserted);
  await store.resendDeliveries(endpoint.id, [event.id], ['pending', 'delivered', 'failed'], now);
  const sent = (await store.listDeliveries(event.id)).find((one) => one.endpointId === endpoint.id);
  if (sent === undefined) throw new ServiceError('event_not_found');
  return deliveryWire(sent);
}
