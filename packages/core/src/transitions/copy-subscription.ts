import type { Subscription } from '../records/index.js';

/** A record whose fields may still be set. */
type Draft<Record> = { -readonly [Field in keyof Record]: Record[Field] };

/**
 * Copies a subscription field by field, so that all subscriptions of the engine have one shape. Spread copies
 * have many, and reads of them take several times as long.
 */
export function copySubscription(from: Subscription): Draft<Subscription> {
  return {
    id: from.id,
    projectId: from.projectId,
    planId: from.planId,
    version: from.version,
    status: from.status,
    wallet: from.wallet,
    externalId: from.externalId,
    email: from.email,
    reservedFor: from.reservedFor,
    customerTyped: from.customerTyped,
    reservedByLink: from.reservedByLink,
    address: from.address,
    incarnation: from.incarnation,
    endReason: from.endReason,
    lateReason: from.lateReason,
    stopReason: from.stopReason,
    pausedAt: from.pausedAt,
    blockedSince: from.blockedSince,
    blockedReason: from.blockedReason,
    blockedAccessUntil: from.blockedAccessUntil,
    paidPeriodStart: from.paidPeriodStart,
    paidPeriodEnd: from.paidPeriodEnd,
    missedUntil: from.missedUntil,
    renewalNoticeNotBefore: from.renewalNoticeNotBefore,
    reminderNotBefore: from.reminderNotBefore,
    late: from.late,
    cancellation: from.cancellation,
    nextTryAt: from.nextTryAt,
    goneSince: from.goneSince,
    nextCheckAt: from.nextCheckAt,
    termsSigned: from.termsSigned,
    checkoutExpiresAt: from.checkoutExpiresAt,
    terms: from.terms,
    built: from.built,
    lastAnnouncedAccess: from.lastAnnouncedAccess,
    accessEndsAt: from.accessEndsAt,
    lastSequence: from.lastSequence,
    lastEventAt: from.lastEventAt,
    hasHeldEvents: from.hasHeldEvents,
    paidCount: from.paidCount,
    paidAmount: from.paidAmount,
    previousId: from.previousId,
    replacedById: from.replacedById,
    createdAt: from.createdAt,
    confirmedAt: from.confirmedAt,
    closedAt: from.closedAt,
    lostAt: from.lostAt,
    wakeAt: from.wakeAt,
  };
}
