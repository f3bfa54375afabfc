import { EventType } from '../../contract/enums.js';
import type { ErrorCode } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';

type Promised = EventType | ErrorCode | keyof SubscriptionWire;

const NOT_SENT = 'Part of the contract, and not sent by this version yet.';

/** What the contract has and this version never sends (seats-and-tiers#parking-order, events#event-types-and-detail), told where it stands: nobody is to wait for it. */
export const NOT_YET = {
  'subscription.renewal_upcoming': NOT_SENT,
  'subscription.paused': NOT_SENT,
  'subscription.unpaused': NOT_SENT,
  subscription_paused: NOT_SENT,
  paused: 'Part of the contract, and always false in this version.',
} as const satisfies Partial<Record<Promised, string>>;

/** The same as a description to be spread into an object of the document. */
export function notYet(name: EventType | ErrorCode): { readonly description?: string } {
  const told: Partial<Record<Promised, string>> = NOT_YET;
  const description = told[name];
  return description === undefined ? {} : { description };
}

/** The events that this version never sends, in a sentence. */
export const EVENTS_NOT_YET = `Not sent by this version yet: ${EventType.options.filter((type) => type in NOT_YET).join(', ')}.`;
