import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainRefusal, TransactionOutcome } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import {
  blockedReason,
  closesAuthority,
  countsAgainstCustomer,
  refusalReason,
} from '../rules/attempt-reasons.js';
import { later, periodPaidAt } from '../rules/billing-periods.js';
import { nextPollAt, hasWaitedLong } from './poll-schedule.js';
import type { LandedOutcome } from './read-outcomes.js';

/** Look-ups at `finalized` without a result after which a transfer is lost (attempts#lost-transaction). */
const LOOKUPS_UNTIL_LOST = 2;

/**
 * What is left to do after a look-up of a transfer:
 * - `nothing`: it is settled, or looked up again later;
 * - `read`: the chain must be read before the subscription can go on;
 * - `resend`: it may never have been sent, and sending the same bytes again is harmless.
 */
export type NextStep = 'nothing' | 'read' | 'resend';

/** Settles a charge by the outcome of its transaction (attempts#results-of-a-sent-transaction). */
export function settleCharge(
  changes: SubscriptionChanges,
  transfer: Transfer,
  outcome: TransactionOutcome,
  now: Date,
): NextStep {
  switch (outcome.kind) {
    case 'landed':
      settleLandedCharge(changes, transfer, outcome, now);
      return 'nothing';
    case 'failed':
      return settleRefusedCharge(changes, withLamports(transfer, outcome), outcome.refusal, now);
    case 'undone':
      // The charge itself is not at fault, so it is tried again like one that was lost.
      changes.putTransfer({ ...withLamports(transfer, outcome), state: 'failed', resolvedAt: now });
      return 'read';
    case 'not_found': {
      const lostTransfer = countNotFound(changes, transfer, now);
      if (lostTransfer === null) return 'nothing';
      changes.putTransfer(lostTransfer);
      return 'read';
    }
    case 'waiting':
    case 'unknown':
      keepWaiting(changes, transfer, outcome.kind, now);
      return outcome.kind === 'waiting' ? 'resend' : 'nothing';
  }
}

/**
 * Settles a charge that the chain refused. A refusal that counts against the customer is a rejected attempt
 * at once. Any other, and a closed authority, needs a read first (attempts#authority-error-needs-a-read).
 */
export function settleRefusedCharge(
  changes: SubscriptionChanges,
  transfer: Transfer,
  refusal: ChainRefusal,
  now: Date,
): NextStep {
  changes.putTransfer({ ...transfer, state: 'failed', resolvedAt: now });
  const reason = refusalReason(refusal);
  if (!countsAgainstCustomer(refusal) || closesAuthority(reason)) return 'read';
  const { amount } = transfer;
  changes.apply({ kind: 'rejected', reason, amount, periodStart: chargedPeriod(transfer) }, now);
  return 'nothing';
}

/**
 * Records the attempt of a charge that the chain refused, where no block explains the refusal
 * (attempts#refused-charge-keeps-its-code).
 */
export function recordRefusal(
  changes: SubscriptionChanges,
  refusal: ChainRefusal,
  { amount, periodStart }: Pick<Transfer, 'amount' | 'periodStart'>,
  now: Date,
): void {
  changes.apply({ kind: 'refused', reason: refusalReason(refusal), amount, periodStart }, now);
}

/** Whether a transfer is lost by one more look-up that does not find it. */
export function isLostBy({ notFoundCount }: Transfer): boolean {
  return notFoundCount + 1 >= LOOKUPS_UNTIL_LOST;
}

/**
 * Counts that a transfer was not found after its last valid height. Returns the lost transfer once a second
 * look-up agrees; before that, schedules the next look-up and returns null.
 */
export function countNotFound(
  changes: SubscriptionChanges,
  transfer: Transfer,
  now: Date,
): (Transfer & { readonly state: 'lost' }) | null {
  const counted = { ...transfer, notFoundCount: transfer.notFoundCount + 1 };
  if (isLostBy(transfer)) return { ...counted, state: 'lost', resolvedAt: now };
  changes.putTransfer(counted);
  changes.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
  return null;
}

/** Looks a transfer up later. A long wait is one blocked attempt (attempts#long-wait-recorded-once). */
function keepWaiting(
  changes: SubscriptionChanges,
  transfer: Transfer,
  kind: 'waiting' | 'unknown',
  now: Date,
): void {
  const nextTryAt = nextPollAt(transfer, now);
  if (transfer.longWaitRecorded || !hasWaitedLong(transfer, now)) {
    changes.apply({ kind: 'poll_scheduled', nextTryAt }, now);
    return;
  }
  changes.putTransfer({ ...transfer, longWaitRecorded: true });
  const blocked =
    kind === 'waiting'
      ? { reason: 'send_unconfirmed', amount: transfer.amount, periodStart: transfer.periodStart }
      : { reason: 'landing_unknown', amount: changes.plan.amount, periodStart: null };
  changes.apply({ kind: 'blocked', ...blocked, block: blockedReason(blocked.reason), nextTryAt }, now);
}

/**
 * Settles a charge that landed. The program pays the period of its own clock. When that is later than the
 * period the charge was signed for, the earlier period is missed (billing-periods#payment-past-a-boundary).
 */
function settleLandedCharge(
  changes: SubscriptionChanges,
  transfer: Transfer,
  outcome: LandedOutcome,
  now: Date,
): void {
  const { time, received } = outcome;
  const signedFor = chargedPeriod(transfer);
  const periodStart = later(signedFor, periodPaidAt(changes.plan, signedFor, time));
  if (signedFor < periodStart) changes.apply({ kind: 'missed', since: signedFor, until: periodStart }, now);
  changes.putTransfer({ ...withLamports(transfer, outcome), state: 'landed', periodStart, resolvedAt: now });
  const { amount, signature } = transfer;
  changes.apply({ kind: 'paid', payment: { amount, received, periodStart, signature } }, now);
}

/** The transfer with the network fee that fell on it. */
export function withLamports(transfer: Transfer, { lamports }: { readonly lamports?: bigint }): Transfer {
  return { ...transfer, lamports: lamports ?? null };
}

/** The period for which a charge was signed. Only a checkout's transfer has none before it lands. */
function chargedPeriod({ id, periodStart }: Transfer): Date {
  if (periodStart === null) throw new Error(`Transfer ${id} is a charge, but no period is recorded for it.`);
  return periodStart;
}
