import type { EventType } from '../../contract/enums.js';
import { EVENT_DETAILS } from '../../contract/event-detail.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { change as makeChange, type Change } from '../change.js';

/** Every event type that a checked change has raised so far. */
export const raised = new Set<EventType>();

/** Makes a change, and throws when an event is invalid by its schema (events#event-types-and-detail). */
export function change(...args: Parameters<typeof makeChange>): Change {
  const checked = makeChange(...args);
  for (const { type, detail, data } of checked.events) {
    EVENT_DETAILS[type].parse(detail);
    SubscriptionWire.parse(data);
    raised.add(type);
  }
  return checked;
}
