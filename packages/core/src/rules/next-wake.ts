import type { Subscription } from '../records/index.js';
import type { At } from './at.js';
import { entitlement } from './access.js';

/**
 * The earliest instant at which time alone can change a subscription, or null when nothing can. The worker claims by
 * this date and no other (invariants#timed-work-has-a-wake-date). An instant that has passed means "now".
 */
export function nextWakeAt(subscription: Subscription, at: At): Date | null {
  const { late, nextTryAt, checkoutExpiresAt } = subscription;
  const instants = [
    nextTryAt,
    // While a transfer is open it must settle before its checkout can expire; the same holds for the retry deadline.
    nextTryAt === null ? checkoutExpiresAt : null,
    late !== null && late.queuedAt === null ? late.deadline : null,
    accessChange(subscription, at),
  ].filter((instant) => instant !== null);
  return instants.length === 0 ? null : new Date(Math.min(...instants.map(Number)));
}

/** When the access announced last stops being true. */
function accessChange(subscription: Subscription, at: At): Date | null {
  const { access, accessUntil } = entitlement(subscription, at);
  return access === subscription.lastAnnouncedAccess ? accessUntil : at.now;
}
