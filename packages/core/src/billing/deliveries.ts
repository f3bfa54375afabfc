import type {
  DeliveriesQueryInput,
  DeliveryPage,
  DeliveryWire,
  DeliveryWithAttempts,
  ResendInput,
} from '../contract/delivery.js';

/** Deliveries: what was sent to the endpoints of a project, and how it went, for 30 days. */
export interface DeliveryFunctions {
  /**
   * Lists deliveries newest first, `limit` (1 to 100, 20 when absent) at a time: of one `endpoint`, of one `event`, or in one
   * `state`, when these are given.
   *
   * An endpoint or an event that is unknown has none. Refuses with `not_found` when there is no such project, or
   * `invalid_request`.
   *
   * @example
   * const { data } = await shop.deliveries.list({ endpoint: endpointId, state: 'failed' });
   * for (const { event, attempts, last_status, last_excerpt } of data) console.log(event, attempts, last_status, last_excerpt);
   */
  list(query?: DeliveriesQueryInput): Promise<DeliveryPage>;
  /**
   * Reads one delivery with its attempts. Refuses with `not_found`.
   *
   * @example
   * const { log } = await shop.deliveries.retrieve(deliveryId);
   * for (const { number, started_at, status, duration_ms } of log) console.log(number, started_at, status, duration_ms);
   */
  retrieve(id: string): Promise<DeliveryWithAttempts>;
  /**
   * Sends an event to an endpoint again, now, with the same `webhook-id` and the same bytes. Its schedule of eleven attempts
   * begins anew. An event that was never sent to the endpoint is sent as well.
   *
   * Refuses with `not_found`, `event_not_found`, `invalid_request`, or `conflict` when the endpoint is disabled.
   *
   * @example
   * await shop.deliveries.resend({ event: eventId, endpoint: endpointId });
   */
  resend(input: ResendInput): Promise<DeliveryWire>;
}
