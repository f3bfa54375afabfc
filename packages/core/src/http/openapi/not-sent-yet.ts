import { EventType } from '../../contract/enums.js';
import type { ErrorCode } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';

type ContractName = EventType | ErrorCode | keyof SubscriptionWire;

const NOT_SENT = 'Part of the contract, and not sent by this version yet.';

/** The parts of the contract that this version never sends, each with the note that the OpenAPI document has for it. */
export const NOT_SENT_YET = {
  'subscription.renewal_upcoming': NOT_SENT,
  'subscription.paused': NOT_SENT,
  'subscription.unpaused': NOT_SENT,
  subscription_paused: NOT_SENT,
  paused: 'Part of the contract, and always false in this version.',
} as const satisfies Partial<Record<ContractName, string>>;

/** The note of an event or an error code as a `description`; empty when this version sends it. */
export function notSentYet(name: EventType | ErrorCode): { readonly description?: string } {
  const notes: Partial<Record<ContractName, string>> = NOT_SENT_YET;
  const description = notes[name];
  return description === undefined ? {} : { description };
}

/** A sentence that names the events which this version never sends. */
export const EVENTS_NOT_SENT_YET = `Not sent by this version yet: ${EventType.options.filter((type) => type in NOT_SENT_YET).join(', ')}.`;
