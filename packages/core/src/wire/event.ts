import type { Network } from '../contract/enums.js';
import type { EventWire } from '../contract/event.js';
import type { SubscriptionWire } from '../contract/subscription.js';
import { toWireDate } from '../contract/scalars.js';
import { VERSION } from '../contract/version.js';
import type { SubscriptionEvent } from '../records/index.js';

/** The body of an event (contract, Body), from its frozen facts. Fields stand in the contract's order. */
export function eventBody(event: SubscriptionEvent, network: Network): EventWire {
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    created_at: toWireDate(event.createdAt),
    network,
    api_version: VERSION,
    sequence: event.sequence,
    // Stored in the change's own transaction, from the subscription's wire form.
    data: event.data as SubscriptionWire,
    detail: event.detail as EventWire['detail'],
  };
}

/**
 * An event as a list or a retrieval answers it: what was delivered, once its bytes are written, so that
 * both are the same for ever, whatever a later version of this code would write (events#events-list-parameters).
 */
export function servedBody(event: SubscriptionEvent, network: Network): EventWire {
  return event.body === null ? eventBody(event, network) : (JSON.parse(event.body) as EventWire);
}
