import { operation } from '../../operations/operation.js';
import { listDeliveries, retrieveDelivery } from './read-deliveries.js';
import { resendDelivery } from './resend-delivery.js';
import {
  DeliveriesQuery,
  DeliveryPage,
  DeliveryWire,
  DeliveryWithAttempts,
  ResendInput,
  type DeliveriesQueryInput,
} from './schemas.js';

export const deliveryOperations = {
  /**
   * Lists deliveries newest first, `limit` (1 to 100, 20 when absent) at a time: of one `endpoint`, of one
   * `event`, or in one `state`, when these are given.
   *
   * An endpoint or an event that is unknown has none. Refuses with `not_found` when there is no such project,
   * or `invalid_request`.
   *
   * @example
   * const { data } = await shop.deliveries.list({ endpoint: endpointId, state: 'failed' });
   * for (const { event, attempts, last_status } of data) console.log(event, attempts, last_status);
   */
  list: operation<(query?: DeliveriesQueryInput) => Promise<DeliveryPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/deliveries',
    input: DeliveriesQuery.prefault({}),
    output: DeliveryPage,
    summary: "A project's deliveries of the last 30 days, newest first.",
    run: ({ service, project, input }) => listDeliveries(service, project, input),
  }),
  /**
   * Reads one delivery with its attempts. Refuses with `not_found`.
   *
   * @example
   * const { log } = await shop.deliveries.retrieve(deliveryId);
   * for (const { number, started_at, status } of log) console.log(number, started_at, status);
   */
  retrieve: operation<(id: string) => Promise<DeliveryWithAttempts>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/deliveries/{id}',
    output: DeliveryWithAttempts,
    notFound: 'not_found',
    summary: 'One delivery with its attempts.',
    run: ({ service, project, id }) => retrieveDelivery(service, project, id),
  }),
  /**
   * Sends an event to an endpoint again, now, with the same `webhook-id` and the same bytes. Its schedule of
   * eleven attempts begins anew. An event that was never sent to the endpoint is sent as well.
   *
   * Refuses with `not_found`, `event_not_found`, `invalid_request`, or `conflict` when the endpoint is
   * disabled.
   *
   * @example
   * await shop.deliveries.resend({ event: eventId, endpoint: endpointId });
   */
  resend: operation<(input: ResendInput) => Promise<DeliveryWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/deliveries/resend',
    input: ResendInput,
    output: DeliveryWire,
    errors: ['not_found', 'event_not_found', 'conflict'],
    summary: 'Sends an event to an endpoint again, with the same id and the same bytes.',
    run: ({ service, project, input }) => resendDelivery(service, project, input),
  }),
};
