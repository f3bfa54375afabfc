import type { AccessAnswer } from '../contract/access.js';
import { toWireDate } from '../contract/scalars.js';
import type { PlanForAccess, SubscriptionForAccess } from '../records/index.js';
import type { At } from '../rules/at.js';
import { firstConfirmedAt, type Answering } from '../rules/select-subscription.js';
import { stopReasonWire } from './subscription.js';
import type { Entitlement } from '../rules/access.js';

/** The bounds of `revalidate_after` in seconds (access#cache-hint). */
const REVALIDATE = { least: 10, most: 300 } as const;

/**
 * The answer about a customer on one plan, made from the answering subscription.
 * @param all every subscription of the customer to the plan
 */
export function accessWire(
  { subscription, entitled }: Answering,
  all: readonly SubscriptionForAccess[],
  at: At<PlanForAccess>,
): AccessAnswer {
  return {
    wallet: subscription.wallet,
    plan: at.plan.slug,
    subscription_id: subscription.id,
    access: entitled.access,
    status: entitled.status,
    paused: entitled.paused,
    end_reason: entitled.endReason,
    late_reason: subscription.lateReason,
    stop_reason: stopReasonWire(subscription),
    payment_status: entitled.paymentStatus,
    blocked_since: toWireDate(subscription.blockedSince),
    blocked_reason: subscription.blockedReason,
    subscribed_since: toWireDate(subscription.confirmedAt),
    first_subscribed_at: toWireDate(firstConfirmedAt(subscription, all)),
    current_period_end: toWireDate(subscription.paidPeriodEnd),
    cancelled_at: toWireDate(subscription.cancellation?.confirmedAt ?? null),
    access_until: toWireDate(entitled.accessUntil),
    closable: entitled.closable,
    closable_from: toWireDate(entitled.closableFrom),
    next_charge_at: toWireDate(entitled.nextChargeAt),
    next_retry_at: toWireDate(entitled.nextRetryAt),
    retry_deadline: toWireDate(entitled.retryDeadline),
    revalidate_after: revalidateAfter(entitled, at.now),
  };
}

/**
 * The answer about a customer with nothing on the plan (access#customer-with-nothing).
 * @param wallet the wallet of the query; null when it named the customer otherwise
 */
export function noAccessWire(wallet: string | null, plan: Pick<PlanForAccess, 'slug'>): AccessAnswer {
  return {
    wallet,
    plan: plan.slug,
    subscription_id: null,
    access: false,
    status: 'none',
    paused: false,
    end_reason: null,
    late_reason: null,
    stop_reason: null,
    payment_status: 'none',
    blocked_since: null,
    blocked_reason: null,
    subscribed_since: null,
    first_subscribed_at: null,
    current_period_end: null,
    cancelled_at: null,
    access_until: null,
    closable: false,
    closable_from: null,
    next_charge_at: null,
    next_retry_at: null,
    retry_deadline: null,
    revalidate_after: REVALIDATE.least,
  };
}

/** The cache hint of a list: the soonest among the plans that grant access (access#cache-hint). */
export function soonestRevalidation(answers: readonly AccessAnswer[]): number {
  const granting = answers.filter(({ access }) => access).map((answer) => answer.revalidate_after);
  return granting.length === 0 ? REVALIDATE.least : Math.min(...granting);
}

/**
 * Whole seconds until time alone can change an answer with access. An answer without access can change with
 * any payment.
 */
function revalidateAfter(entitled: Entitlement, now: Date): number {
  if (!entitled.access) return REVALIDATE.least;
  let change = Number.POSITIVE_INFINITY;
  for (const date of [
    entitled.accessUntil,
    entitled.nextChargeAt,
    entitled.nextRetryAt,
    entitled.closableFrom,
  ]) {
    if (date !== null) change = Math.min(change, date.getTime());
  }
  const seconds = Math.floor((change - now.getTime()) / 1000);
  return Math.max(REVALIDATE.least, Math.min(REVALIDATE.most, seconds));
}
