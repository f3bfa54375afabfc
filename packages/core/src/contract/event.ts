import * as z from 'zod';

import { EventType, Network } from './enums.js';
import { cursorInput, limitInput, subscriptionIdInput } from './inputs.js';
import { page } from './page.js';
import { fields } from './requests.js';
import { isoDate } from './scalars.js';
import { SubscriptionWire } from './subscription.js';

/** An event, as webhooks carry it and as the operations that read events return it. */
export const EventWire = z.strictObject({
  id: z.string(),
  object: z.literal('event'),
  type: EventType,
  created_at: isoDate,
  network: Network,
  api_version: z.string(),
  sequence: z.int().min(1).optional(),
  data: SubscriptionWire,
  detail: z.record(z.string(), z.json()),
});
export type EventWire = z.infer<typeof EventWire>;

/** A page of a project's events, newest first. No event from before `available_since` is kept. */
export const EventPage = page(EventWire).extend({ available_since: isoDate });
export type EventPage = z.infer<typeof EventPage>;

/** Which events to list. */
export const EventsQuery = fields({
  limit: limitInput(25),
  starting_after: cursorInput.optional(),
  type: z.enum(EventType.options, { error: 'must be the name of an event' }).optional(),
  subscription: subscriptionIdInput.optional(),
});
export type EventsQuery = z.infer<typeof EventsQuery>;
/** A request for a page of events: `limit` is 1 to 100, 25 when absent. */
export type EventsQueryInput = z.input<typeof EventsQuery>;
