import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import { pageRequest, pageWire } from '../../operations/pages.js';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  EndpointId,
  EventId,
  Project,
} from '../../records/index.js';
import type { Service } from '../../service.js';
import type { DeliveryWire, DeliveryWithAttempts, DeliveriesQuery, DeliveryPage } from './schemas.js';

export function deliveryWire(delivery: Delivery): DeliveryWire {
  return {
    id: delivery.id,
    endpoint: delivery.endpointId,
    event: delivery.eventId,
    type: delivery.type,
    test: delivery.eventId === null,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: toWireDate(delivery.nextAttemptAt),
    last_status: delivery.lastStatus,
    last_excerpt: delivery.lastExcerpt,
    created_at: toWireDate(delivery.createdAt),
    settled_at: toWireDate(delivery.settledAt),
  };
}

export function deliveryWithAttempts(
  delivery: Delivery,
  attempts: readonly DeliveryAttempt[],
): DeliveryWithAttempts {
  return {
    ...deliveryWire(delivery),
    log: attempts.map(({ number, startedAt, durationMs, status, excerpt, nextAttemptAt }) => ({
      number,
      started_at: toWireDate(startedAt),
      duration_ms: durationMs,
      status,
      excerpt,
      next_attempt_at: toWireDate(nextAttemptAt),
    })),
  };
}

export async function listDeliveries(
  { store }: Service,
  project: Project,
  { endpoint, event, state, ...page }: DeliveriesQuery,
): Promise<DeliveryPage> {
  const deliveries = await store.listProjectDeliveries(
    project.id,
    {
      endpointId: (endpoint ?? null) as EndpointId | null,
      eventId: (event ?? null) as EventId | null,
      state: state ?? null,
    },
    pageRequest<DeliveryId>(page),
  );
  return pageWire(deliveries, deliveryWire);
}

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
