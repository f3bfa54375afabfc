import { EventType } from '../../contract/enums.js';
import type { ErrorCode } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';

type Promised = EventType | ErrorCode | keyof SubscriptionWire;

const NOT_SENT = 'Part of the contract, and not sent by this version yet.';

/** What is part of the contract and never sent by this version. The document says so at each place. */
export const NOT_YET = {
  'subscription.renewal_upcoming': NOT_SENT,
  'subscription.paused': NOT_SENT,
  'subscription.unpaused': NOT_SENT,
  subscription_paused: NOT_SENT,
  paused: 'Part of the contract, and always false in this version.',
} as const satisfies Partial<Record<Promised, string>>;

/** The same as a description, to spread into an object of the document. */
export function notYet(name: EventType | ErrorCode): { readonly description?: string } {
  const notes: Partial<Record<Promised, string>> = NOT_YET;
  const description = notes[name];
  return description === undefined ? {} : { description };
}

/** A sentence that names the events which this version never sends. */
export const EVENTS_NOT_YET = `Not sent by this version yet: ${EventType.options.filter((type) => type in NOT_YET).join(', ')}.`;
