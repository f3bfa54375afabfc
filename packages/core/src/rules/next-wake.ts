import type { Subscription } from '../records/index.js';
import type { At } from './at.js';
import { entitlement } from './access.js';
import { earlier } from './billing-periods.js';
import { nextReminder } from './reminders.js';
import { renewalNoticeAt } from './renewal-notice.js';
import { isHeld } from './running.js';

/**
 * The earliest instant at which time alone can change a subscription, or null. The worker claims by this date
 * and no other (invariants#timed-work-has-a-wake-date). A past instant means "now". What is held wakes for
 * the end of its access alone: the change that may replace it frees it.
 */
export function nextWakeAt(subscription: Subscription, at: At): Date | null {
  const { nextTryAt, nextCheckAt, checkoutExpiresAt } = subscription;
  if (isHeld(subscription)) return accessChange(subscription, at);
  return [
    nextTryAt,
    nextCheckAt,
    // A checkout cannot expire while a transfer has to be resolved first.
    nextTryAt === null ? checkoutExpiresAt : null,
    accessChange(subscription, at),
    renewalNoticeAt(subscription, at),
    nextReminder(subscription, at)?.at ?? null,
  ].reduce((first, instant) => (first === null ? instant : earlier(first, instant)), null);
}

/** From when the access announced last is no longer true: now, when it is untrue already. */
function accessChange(subscription: Subscription, at: At): Date | null {
  const { access, accessUntil } = entitlement(subscription, at);
  return access === subscription.lastAnnouncedAccess ? accessUntil : at.now;
}
