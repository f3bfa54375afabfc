import type { EventType } from '../../contract/enums.js';
import { EVENT_DETAILS } from '../../contract/event-detail.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { change as made, type Change } from '../change.js';

/** Every event type that a judged change raised so far. */
export const raised = new Set<EventType>();

/** A change whose events are what the contract says they are (events#event-types-and-detail), or an error. */
export function change(...of: Parameters<typeof made>): Change {
  const judged = made(...of);
  for (const { type, detail, data } of judged.events) {
    EVENT_DETAILS[type].parse(detail);
    SubscriptionWire.parse(data);
    raised.add(type);
  }
  return judged;
}
