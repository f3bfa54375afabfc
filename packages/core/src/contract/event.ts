import * as z from 'zod';

import { END, START, subscription } from './example-subscription.js';
import { EventType, Network } from './enums.js';
import { cursorInput, limitInput, subscriptionIdInput } from './inputs.js';
import { page } from './page.js';
import { fields } from './requests.js';
import { isoDate } from './scalars.js';
import { SubscriptionWire } from './subscription.js';

const event = {
  id: 'evt_1Aa2Bb3Cc4Dd5Ee6Ff7Gg8Hh',
  object: 'event',
  type: 'subscription.access_granted',
  created_at: START,
  network: 'mainnet-beta',
  api_version: '2026-10-02',
  sequence: 2,
  data: subscription,
  detail: { changed_at: START, blocked_reason: null, access_until: END },
};

/** An event, as webhooks carry it and as the operations that read events return it. */
export const EventWire = z
  .strictObject({
    id: z.string().describe('Its id, evt_ and 24 letters or digits: the same in every delivery.'),
    object: z.literal('event').describe('Always event.'),
    type: EventType.describe('The type of the event. Keep a default branch: new types may appear.'),
    created_at: isoDate.describe('When it happened.'),
    network: Network.describe('The cluster on which payments are made.'),
    api_version: z.string().describe('The version in which data and detail are written.'),
    sequence: z
      .int()
      .min(1)
      .optional()
      .describe("The event's place among the subscription's events, from 1. Apply events in this order."),
    data: SubscriptionWire.describe('The subscription right after the change that raised the event.'),
    detail: z.record(z.string(), z.json()).describe('The fields of this type of event.'),
  })
  .meta({ answer: 'Event', example: event });
export type EventWire = z.infer<typeof EventWire>;

/** A page of a project's events, newest first. No event from before `available_since` is kept. */
export const EventPage = page(EventWire, 'The events of this page, newest first.')
  .extend({
    available_since: isoDate.describe('No event from before this instant is kept.'),
  })
  .meta({
    answer: 'EventPage',
    example: { data: [event], has_more: false, available_since: '2026-10-01T12:00:00.000Z' },
  });
export type EventPage = z.infer<typeof EventPage>;

/** Which events to list. */
export const EventsQuery = fields({
  limit: limitInput(25),
  starting_after: cursorInput.optional(),
  type: z
    .enum(EventType.options, { error: 'must be the name of an event' })
    .optional()
    .describe('Only events of this type.'),
  subscription: subscriptionIdInput.optional().describe('Only events of the subscription with this id.'),
});
export type EventsQuery = z.infer<typeof EventsQuery>;
/** A request for a page of events: `limit` is 1 to 100, 25 when absent. */
export type EventsQueryInput = z.input<typeof EventsQuery>;
