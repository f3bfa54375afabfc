import type { DeliveryWire, DeliveryWithAttempts } from './schemas.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Delivery, DeliveryAttempt } from '../../records/index.js';

/** A delivery as its project sees it. */
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

/** A delivery with its attempts. */
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
