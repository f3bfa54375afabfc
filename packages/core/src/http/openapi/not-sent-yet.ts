import { EventType } from '../../contract/enums.js';

/** The events of the contract that this version never sends, each with the note that the OpenAPI document has for it. */
export const NOT_SENT_YET: Partial<Record<EventType, string>> = {
  'subscription.renewal_upcoming': 'Part of the contract, and not sent by this version yet.',
};

/** The note of an event as a `description`; empty when this version sends it. */
export function notSentYet(type: EventType): { readonly description?: string } {
  const description = NOT_SENT_YET[type];
  return description === undefined ? {} : { description };
}

/** A sentence that names the events which this version never sends. */
export const EVENTS_NOT_SENT_YET = `Not sent by this version yet: ${EventType.options.filter((type) => type in NOT_SENT_YET).join(', ')}.`;
