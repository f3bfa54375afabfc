import {
  DeliveriesQuery,
  DeliveryPage,
  DeliveryWire,
  DeliveryWithAttempts,
  ResendInput,
} from '../../contract/delivery.js';
import { operation } from '../operation.js';
import { listDeliveries, resendDelivery, retrieveDelivery } from './deliveries.js';

/** Deliveries: what was sent to the endpoints of a project, and how it went. */
export const deliveryOperations = [
  operation({
    name: 'deliveries.list',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/deliveries',
    input: DeliveriesQuery.prefault({}),
    output: DeliveryPage,
    status: 200,
    notFound: null,
    errors: [],
    summary: "A project's deliveries of the last 30 days, newest first.",
    run: ({ service, project, input }) => listDeliveries(service, project, input),
  }),
  operation({
    name: 'deliveries.retrieve',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/deliveries/{id}',
    input: null,
    output: DeliveryWithAttempts,
    status: 200,
    notFound: 'not_found',
    errors: [],
    summary: 'One delivery with its attempts.',
    run: ({ service, project, id }) => retrieveDelivery(service, project, id),
  }),
  operation({
    name: 'deliveries.resend',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/deliveries/resend',
    input: ResendInput,
    output: DeliveryWire,
    status: 200,
    notFound: null,
    errors: ['not_found', 'event_not_found', 'conflict'],
    summary: 'Sends an event to an endpoint again, with the same id and the same bytes.',
    run: ({ service, project, input }) => resendDelivery(service, project, input),
  }),
] as const;
