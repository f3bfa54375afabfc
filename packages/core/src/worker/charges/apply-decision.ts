import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainRefusal, ChainUnavailable, ChargeOrder } from '../../ports/index.js';
import type { Subscription } from '../../records/index.js';
import {
  blockedReason,
  closesAuthority,
  refusalReason,
  unavailableReason,
} from '../../rules/attempt-reasons.js';
import { accessEndsAt } from '../../rules/access.js';
import { chargeable, later, plus } from '../../rules/billing-periods.js';
import type { Decision, Wait } from '../../rules/decide.js';
import { nextBlockedRetryAt } from '../../rules/next-blocked-retry.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { recordRefusal } from '../../settlement/settle-charge.js';
import type { Transition } from '../../transitions/transition.js';

/** How long until the second read of something that reads as gone (attempts#gone-needs-two-reads). */
export const SECOND_READ_MS = 60_000;

/** A charge that is to be signed, and the period it pays. */
export interface PlannedCharge {
  readonly order: ChargeOrder;
  readonly periodStart: Date;
}

/** A charge that the chain has just refused. A read explains the refusal; nothing is sent in its place. */
export interface RefusedCharge {
  readonly refusal: ChainRefusal;
  readonly amount: bigint;
  readonly periodStart: Date | null;
}

/** The part of a charge that its attempt records. */
type TriedCharge = Pick<RefusedCharge, 'amount' | 'periodStart'>;

/** When a blocked try is made again, and since when the account or the plan reads as gone. */
type TriedAgain = Pick<Extract<Transition, { kind: 'blocked' }>, 'nextTryAt' | 'goneSince'>;

/** Applies what a read of the chain decided, and returns the charge to make, if one is to be made. */
export function applyDecision(
  changes: SubscriptionChanges,
  decision: Decision,
  refused: RefusedCharge | null,
  now: Date,
): PlannedCharge | null {
  const tried: TriedCharge = { amount: changes.plan.amount, periodStart: null };
  /** Records a refusal that is no block by what was found, which has a record of its own after it. */
  const recordRefused = (): void => {
    if (refused !== null) recordRefusal(changes, refused.refusal, refused, now);
  };
  const applyFound = (transition: Transition): null => {
    recordRefused();
    changes.apply(transition, now);
    return null;
  };
  switch (decision.kind) {
    case 'not_due': {
      const nextTryAt = endOfWait(decision.wait, now);
      // The program refused the charge because the chain's clock was behind the service's.
      if (refused !== null) blockRefused(changes, refused, { nextTryAt }, now);
      else changes.apply({ kind: 'poll_scheduled', nextTryAt }, now);
      return null;
    }
    case 'parked':
    case 'ending':
      return applyFound({ kind: 'poll_scheduled', nextTryAt: endOfWait(decision.wait, now) });
    case 'retry_deadline_passed':
    case 'resumed':
    case 'ended':
      return applyFound(decision);
    case 'gone': {
      const again = { nextTryAt: plus(now, SECOND_READ_MS), goneSince: now };
      if (!isChargeDue(changes.subscription)) return applyFound({ kind: 'poll_scheduled', ...again });
      if (refused !== null) blockRefused(changes, refused, again, now);
      else block(changes, 'gone_unconfirmed', tried, again, now);
      return null;
    }
    case 'terms_missing':
      recordRefused();
      block(changes, 'terms_missing', tried, { nextTryAt: null }, now);
      return null;
    case 'cancelled': {
      const nextTryAt = endOfWait(decision.wait, now);
      const { expiresAt } = decision;
      return isRecordedAsCancelled(changes.subscription, expiresAt)
        ? applyFound({ kind: 'poll_scheduled', nextTryAt })
        : applyFound({ kind: 'cancelled', expiresAt, nextTryAt });
    }
    case 'already_paid':
      recordRefused();
      if (decision.missed !== null) changes.apply({ kind: 'missed', ...decision.missed }, now);
      changes.apply({ kind: 'already_paid', periodStart: decision.periodStart }, now);
      return null;
    case 'charge':
      return applyCharge(changes, decision, refused, now);
  }
}

/** Blocks a due charge when the chain is unavailable. Without one, the chain is only read again later. */
export function applyChainUnavailable(
  changes: SubscriptionChanges,
  unavailable: ChainUnavailable,
  refused: RefusedCharge | null,
  now: Date,
): void {
  const nextTryAt = retryOfServiceBlock(changes, now);
  if (refused !== null) {
    blockRefused(changes, refused, { nextTryAt }, now);
    return;
  }
  const { plan, subscription } = changes;
  if (!isChargeDue(subscription) || !chargeable(now, plan)) {
    changes.apply({ kind: 'poll_scheduled', nextTryAt }, now);
    return;
  }
  const tried = { amount: plan.amount, periodStart: null };
  block(changes, unavailableReason(unavailable), tried, { nextTryAt }, now);
}

/**
 * Blocks a charge that could not be signed: the signer, or the chain that gives the blockhash, did not
 * answer.
 */
export function applyUnsigned(
  changes: SubscriptionChanges,
  { order: { amount }, periodStart }: PlannedCharge,
  unavailable: ChainUnavailable,
  now: Date,
): void {
  const nextTryAt = retryOfServiceBlock(changes, now);
  block(changes, unavailableReason(unavailable), { amount, periodStart }, { nextTryAt }, now);
}

/**
 * Blocks a due charge that the service's own records rule out: no terms are signed, or the plan lacks a value
 * that every charge names. Returns whether it did.
 */
export function applyIncompleteRecords(changes: SubscriptionChanges, now: Date): boolean {
  const { plan, subscription } = changes;
  if (!isChargeDue(subscription)) return false;
  if (!subscription.termsSigned) {
    applyDecision(changes, { kind: 'terms_missing' }, null, now);
    return true;
  }
  if (plan.createdOnChainAt !== null) return false;
  const tried = { amount: plan.amount, periodStart: subscription.paidPeriodEnd };
  block(changes, 'puller_missing', tried, { nextTryAt: retryOfServiceBlock(changes, now) }, now);
  return true;
}

function applyCharge(
  changes: SubscriptionChanges,
  { amount, periodStart, missed, finding }: Extract<Decision, { kind: 'charge' }>,
  refused: RefusedCharge | null,
  now: Date,
): PlannedCharge | null {
  const code = refused === null ? '' : refusalReason(refused.refusal);
  const isRejected = finding.kind === 'rejected';
  // The read finds the closed authority that the chain's code named (attempts#authority-error-needs-a-read).
  const isConfirmed = isRejected && closesAuthority(code) && closesAuthority(finding.reason);
  if (refused !== null && isRejected && !isConfirmed) recordRefusal(changes, refused.refusal, refused, now);
  if (missed !== null) changes.apply({ kind: 'missed', ...missed }, now);
  const { plan, subscription } = changes;
  switch (finding.kind) {
    case 'rejected': {
      const reason = isConfirmed ? code : finding.reason;
      changes.apply({ ...finding, reason, amount, periodStart }, now);
      return null;
    }
    case 'blocked': {
      const nextTryAt = nextBlockedRetryAt(subscription, blockedReason(finding.reason), changes.at(now));
      if (refused === null) block(changes, finding.reason, { amount, periodStart }, { nextTryAt }, now);
      else blockRefused(changes, refused, { nextTryAt }, now, finding.reason);
      return null;
    }
    case 'send': {
      if (refused !== null) {
        blockRefused(changes, refused, { nextTryAt: retryOfServiceBlock(changes, now) }, now);
        return null;
      }
      const { receiverAccount } = finding;
      const target = chargeTarget(plan, subscription.wallet);
      return { periodStart, order: { plan: target.plan, wallet: target.wallet, amount, receiverAccount } };
    }
  }
}

/** Whether this very cancellation is on record: one with another expiry was made since. */
export function isRecordedAsCancelled({ status, cancellation }: Subscription, expiresAt: Date): boolean {
  return status === 'cancelled' && cancellation?.expiresAt.getTime() === expiresAt.getTime();
}

/** When the chain is read again after a wait. */
export function endOfWait({ until, lookAgainMs }: Wait, now: Date): Date {
  return now < until ? until : plus(now, lookAgainMs);
}

/** Whether the chain is read for a charge, not for an end or the deadline of retries by hand. */
function isChargeDue({ status, pausedAt, late }: Subscription): boolean {
  const waitsForDeadline = late !== null && late.deadline !== null && late.queuedAt === null;
  return status !== 'cancelled' && pausedAt === null && !waitsForDeadline;
}

/** When a charge is tried again that the service or the chain could not make. */
function retryOfServiceBlock(changes: SubscriptionChanges, now: Date): Date {
  return nextBlockedRetryAt(changes.subscription, 'mesub', changes.at(now));
}

function block(
  changes: SubscriptionChanges,
  reason: string,
  tried: TriedCharge,
  again: TriedAgain,
  now: Date,
): void {
  changes.apply({ kind: 'blocked', reason, block: blockedReason(reason), ...tried, ...again }, now);
}

/**
 * Blocks a charge that the chain refused. The attempt carries the chain's code; the block shows the cause
 * that the read found (blocks#program-refusal-explained-by-a-read).
 */
function blockRefused(
  changes: SubscriptionChanges,
  { refusal, amount, periodStart }: RefusedCharge,
  again: TriedAgain,
  now: Date,
  cause = '',
): void {
  const reason = refusalReason(refusal);
  changes.apply({ kind: 'blocked', reason, block: blockedReason(cause), amount, periodStart, ...again }, now);
}

/**
 * Records that access ended by its date, at that instant and not when a worker noticed
 * (events#access-ending-by-date).
 */
export function applyAccessEnd(changes: SubscriptionChanges, now: Date): void {
  const { subscription } = changes;
  const end = subscription.lastAnnouncedAccess ? accessEndsAt(subscription, changes.at(now)) : null;
  if (end !== null && end <= now)
    changes.apply({ kind: 'access_ended' }, later(end, subscription.lastEventAt));
}
