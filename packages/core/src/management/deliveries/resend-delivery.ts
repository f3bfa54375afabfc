import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { availableSince } from '../../operations/events/read-events.js';
import type { EventId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { newDelivery } from '../../webhooks/create-deliveries.js';
import { requireEndpoint, requireEnabled } from '../endpoints/read-endpoints.js';
import { deliveryWire } from './read-deliveries.js';
import type { DeliveryWire, ResendInput } from './schemas.js';

/**
 * Sends an event to an endpoint again, now, with the same id and bytes (deliveries#resend). An event without
 * a delivery to the endpoint gets one.
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
