import { type Confirmation, type ReasonCode, REASONS } from '../contract/confirmation.js';
import type { Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { subscriptionWire } from './subscription.js';

/** The answer of a submit or a confirmation, with both `reason` and `reason_code` or neither. */
export function confirmationWire(subscription: Subscription, at: At, code: ReasonCode | null): Confirmation {
  const wire = subscriptionWire(subscription, at);
  return code === null
    ? { subscription: wire }
    : { subscription: wire, reason: REASONS[code], reason_code: code };
}
