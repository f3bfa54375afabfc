import { toWireDate } from '../contract/scalars.js';
import type { SubscriptionWire } from '../contract/subscription.js';
import type { Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { entitlement } from '../rules/access.js';

/** A subscription at an instant: the answer of the routes and the `data` of every event. */
export function subscriptionWire(subscription: Subscription, at: At): SubscriptionWire {
  const entitled = entitlement(subscription, at);
  return {
    id: subscription.id,
    status: entitled.status,
    paused: entitled.paused,
    end_reason: entitled.endReason,
    late_reason: subscription.lateReason,
    stop_reason: stopReasonWire(subscription),
    access: entitled.access,
    payment_status: entitled.paymentStatus,
    blocked_since: toWireDate(subscription.blockedSince),
    blocked_reason: subscription.blockedReason,
    plan: at.plan.slug,
    wallet: subscription.wallet,
    email: subscription.email,
    external_id: subscription.externalId,
    current_period_start: toWireDate(subscription.paidPeriodStart),
    current_period_end: toWireDate(subscription.paidPeriodEnd),
    next_charge_at: toWireDate(entitled.nextChargeAt),
    next_retry_at: toWireDate(entitled.nextRetryAt),
    retry_deadline: toWireDate(entitled.retryDeadline),
    next_retry_number: entitled.nextRetryNumber,
    retries_allowed: entitled.retriesAllowed,
    access_until: toWireDate(entitled.accessUntil),
    closable: entitled.closable,
    closable_from: toWireDate(entitled.closableFrom),
    created_at: toWireDate(subscription.createdAt),
    confirmed_at: toWireDate(subscription.confirmedAt),
  };
}

/** Why it stopped, while it is stopped: one that was cancelled, closed or ended since shows none. */
export function stopReasonWire({
  status,
  stopReason,
}: Pick<Subscription, 'status' | 'stopReason'>): Subscription['stopReason'] {
  return status === 'stopped' ? stopReason : null;
}
