import { type Plan, type Subscription, newId } from '../records/index.js';
import type { Service } from '../service.js';

/**
 * The customer of a subscription, the session and the link that reserve it, and the subscription that it
 * replaces.
 */
export type SubscriptionCustomer = Pick<
  Subscription,
  'wallet' | 'externalId' | 'email' | 'customerTyped' | 'reservedFor' | 'reservedByLink' | 'previousId'
>;

/** A pending subscription before its first commit: nothing paid, nothing on chain but a derived address. */
export async function newSubscription(
  service: Service,
  plan: Plan,
  { wallet, externalId, email, customerTyped, reservedFor, reservedByLink, previousId }: SubscriptionCustomer,
  checkoutExpiresAt: Date,
  now: Date,
): Promise<Subscription> {
  return {
    id: newId(service.random, 'sub'),
    projectId: plan.projectId,
    planId: plan.id,
    version: 0,
    status: 'pending',
    wallet,
    externalId,
    email,
    reservedFor,
    customerTyped,
    reservedByLink,
    address: await service.chain.subscriptionAddress(plan.address, wallet),
    incarnation: null,
    endReason: null,
    lateReason: null,
    stopReason: null,
    pausedAt: null,
    blockedSince: null,
    blockedReason: null,
    blockedAccessUntil: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    missedUntil: null,
    renewalNoticeNotBefore: null,
    reminderNotBefore: null,
    late: null,
    cancellation: null,
    nextTryAt: null,
    goneSince: null,
    nextCheckAt: null,
    termsSigned: false,
    checkoutExpiresAt,
    terms: null,
    built: null,
    lastAnnouncedAccess: false,
    accessEndsAt: null,
    lastSequence: 0,
    lastEventAt: null,
    hasHeldEvents: false,
    paidCount: 0,
    paidAmount: 0n,
    previousId,
    replacedById: null,
    createdAt: now,
    confirmedAt: null,
    closedAt: null,
    lostAt: null,
    wakeAt: null,
  };
}
