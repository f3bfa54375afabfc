import type { Subscription } from '../records/index.js';
import type { At } from './at.js';
import { entitlement } from './access.js';

/**
 * The earliest instant at which time alone can change a subscription, or null when none can: the one date every sweep
 * of the service runs by. An instant that has passed means "now".
 */
export function nextWakeAt(subscription: Subscription, at: At): Date | null {
  const { late, nextTryAt, checkoutExpiresAt } = subscription;
  const instants = [
    nextTryAt,
    // What is under way may still pay: a checkout expires, and the time for retries ends, when it is known not to have.
    nextTryAt === null ? checkoutExpiresAt : null,
    late !== null && late.queuedAt === null ? late.deadline : null,
    accessChange(subscription, at),
  ].filter((instant) => instant !== null);
  return instants.length === 0 ? null : new Date(Math.min(...instants.map(Number)));
}

/** When the access told last stops being true. */
function accessChange(subscription: Subscription, at: At): Date | null {
  const { access, accessUntil } = entitlement(subscription, at);
  return access === subscription.accessAnnounced ? accessUntil : at.now;
}
