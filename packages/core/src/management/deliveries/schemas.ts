import * as z from 'zod';

import { EventType } from '../../contract/enums.js';
import { cursorInput, endpointIdInput, eventIdInput, limitInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

/** The state of a delivery: to be tried, accepted, or given up. */
export const DeliveryState = z.enum(['pending', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** An event for an endpoint, or a test of the endpoint. Dates are of the wall clock of the sending hosts. */
export const DeliveryWire = z.strictObject({
  /** The `webhook-id` header of every attempt. */
  id: z.string(),
  endpoint: z.string(),
  /** The id of the event; null for a test. */
  event: z.string().nullable(),
  type: z
    .enum([...EventType.options, 'test'])
    .describe('The type of the event. Keep a default branch: new types may appear.'),
  test: z.boolean(),
  state: DeliveryState,
  /** The number of attempts. */
  attempts: z.int().min(0),
  next_attempt_at: isoDate.nullable(),
  /** The HTTP status of the last attempt; null when there was no answer. */
  last_status: z.int().nullable(),
  /** The start of the last answer, or why there was none: at most 1,024 characters. */
  last_excerpt: z.string().nullable(),
  created_at: isoDate,
  /** When it was delivered or given up. */
  settled_at: isoDate.nullable(),
});
export type DeliveryWire = z.infer<typeof DeliveryWire>;

/** An attempt of a delivery. */
const DeliveryAttemptWire = z.strictObject({
  number: z.int().min(1),
  started_at: isoDate,
  duration_ms: z.int().min(0),
  /** The HTTP status; null when there was no answer. */
  status: z.int().nullable(),
  /** The start of the answer, or why there was none: at most 1,024 characters. */
  excerpt: z.string(),
  /** When the next attempt was due after this one. */
  next_attempt_at: isoDate.nullable(),
});
type DeliveryAttemptWire = z.infer<typeof DeliveryAttemptWire>;

/** A delivery with its attempts, the first one first. */
export const DeliveryWithAttempts = DeliveryWire.extend({ log: z.array(DeliveryAttemptWire) });
export type DeliveryWithAttempts = z.infer<typeof DeliveryWithAttempts>;

/** A page of a project's deliveries, newest first. */
export const DeliveryPage = page(DeliveryWire, 'The deliveries of this page, newest first.');
export type DeliveryPage = z.infer<typeof DeliveryPage>;

/** Which deliveries to list. */
export const DeliveriesQuery = fields({
  endpoint: endpointIdInput.optional().describe('Only deliveries to the endpoint with this id.'),
  event: eventIdInput.optional().describe('Only deliveries of the event with this id.'),
  state: z
    .enum(DeliveryState.options, { error: 'must be pending, delivered or failed' })
    .optional()
    .describe('Only deliveries in this state.'),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;
/** A request for a page of deliveries: `limit` is 1 to 100, 20 when absent. */
export type DeliveriesQueryInput = z.input<typeof DeliveriesQuery>;

/** Which event to send again, and to which endpoint. */
export const ResendInput = fields({
  event: eventIdInput,
  endpoint: endpointIdInput,
});
export type ResendInput = z.input<typeof ResendInput>;
