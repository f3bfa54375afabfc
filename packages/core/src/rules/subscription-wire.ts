import { toWireDate } from '../contract/scalars.js';
import type { SubscriptionWire } from '../contract/subscription.js';
import type { Plan, Subscription } from '../records/index.js';
import type { Tier } from '../contract/tiers.js';
import { standing } from './standing.js';

/** A subscription as a reader is told it at an instant: the answer of the routes and the `data` of every event. */
export function subscriptionWire(
  subscription: Subscription,
  plan: Plan,
  tier: Tier,
  now: Date,
): SubscriptionWire {
  const stands = standing(subscription, plan, tier, now);
  return {
    id: subscription.id,
    status: stands.status,
    paused: subscription.pausedAt !== null,
    end_reason: stands.endReason,
    late_reason: subscription.lateReason,
    stop_reason: subscription.stopReason,
    access: stands.access,
    payment_status: stands.paymentStatus,
    blocked_since: toWireDate(subscription.blockedSince),
    blocked_reason: subscription.blockedReason,
    plan: plan.slug,
    wallet: subscription.wallet,
    email: subscription.email,
    external_id: subscription.externalId,
    current_period_start: toWireDate(subscription.paidPeriodStart),
    current_period_end: toWireDate(subscription.paidPeriodEnd),
    next_charge_at: toWireDate(stands.nextChargeAt),
    next_retry_at: toWireDate(stands.nextRetryAt),
    retry_deadline: toWireDate(stands.retryDeadline),
    next_retry_number: stands.nextRetryNumber,
    retries_allowed: stands.retriesAllowed,
    access_until: toWireDate(stands.accessUntil),
    closable: stands.closable,
    closable_from: toWireDate(stands.closableFrom),
    created_at: toWireDate(subscription.createdAt),
    confirmed_at: toWireDate(subscription.confirmedAt),
  };
}
