import type { Network } from '../contract/enums.js';
import type { EventWire } from '../contract/event.js';
import type { SubscriptionWire } from '../contract/subscription.js';
import { toWireDate } from '../contract/scalars.js';
import { VERSION } from '../contract/version.js';
import type { SubscriptionEvent } from '../records/index.js';

/**
 * The body of an event, made from its stored snapshot. The fields are in the contract's order
 * (events#event-body-fields).
 */
export function eventBody(event: SubscriptionEvent, network: Network): EventWire {
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    created_at: toWireDate(event.createdAt),
    network,
    api_version: VERSION,
    sequence: event.sequence,
    // Stored as the subscription's wire form in the transaction of its change.
    data: event.data as SubscriptionWire,
    detail: event.detail as EventWire['detail'],
  };
}

/**
 * An event as a list or a retrieval answers it. A written body is served as it is, so that readers and
 * receivers see the same under every later version (events#events-list-bodies).
 */
export function servedBody(event: SubscriptionEvent, network: Network): EventWire {
  return event.body === null ? eventBody(event, network) : (JSON.parse(event.body) as EventWire);
}
