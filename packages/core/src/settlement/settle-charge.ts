import type { ChainRefusal, TransactionOutcome } from '../ports/index.js';
import type { Plan, Transfer } from '../records/index.js';
import { blockedReason, countsAgainstCustomer, refusalReason } from '../rules/attempt-reasons.js';
import { earlier, later, periodAt, plus } from '../rules/billing-periods.js';
import { nextPollAt, waitedLong } from './poll-schedule.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';

/** Looks at `finalized` that must agree before a transfer counts as lost (attempts#results-of-a-sent-transaction). */
const NOT_FOUND_LIMIT = 2;

/**
 * What a look at a transfer's fate leaves to do:
 * - `nothing`: the row is settled, or looks again later;
 * - `read`: the chain must be read before the row can go on;
 * - `send`: it may never have been sent, and sending the same bytes again is harmless.
 */
export type Leaves = 'nothing' | 'read' | 'send';

/** A transaction that landed. */
export type Landed = Extract<TransactionOutcome, { kind: 'landed' }>;

/** Settles a charge by what became of its transfer (attempts#results-of-a-sent-transaction). */
export function settleCharge(row: SubscriptionChanges, transfer: Transfer, outcome: TransactionOutcome, now: Date): Leaves {
  switch (outcome.kind) {
    case 'landed':
      settleLanded(row, transfer, outcome, now);
      return 'nothing';
    case 'failed':
      row.keep({ ...transfer, state: 'failed', resolvedAt: now });
      return settleRefusal(row, transfer, outcome.refusal, now);
    case 'not_found':
      return stillAbsent(row, transfer, now);
    case 'waiting':
    case 'unknown':
      return keepWaiting(row, transfer, outcome.kind, now);
  }
}

/** A charge the chain refused: the customer's side at once, everything else after a read has said why. */
export function settleRefusal(row: SubscriptionChanges, transfer: Transfer, refusal: ChainRefusal, now: Date): Leaves {
  const needsRead = refusal.code === 103 || refusal.code === 136;
  if (!countsAgainstCustomer(refusal) || needsRead) return 'read';
  row.apply(
    {
      kind: 'rejected',
      reason: refusalReason(refusal),
      amount: transfer.amount,
      periodStart: periodOf(transfer),
    },
    now,
  );
  return 'nothing';
}

/** Not found once its height has passed: gone for good only when a second look at `finalized` agrees. */
export function stillAbsent(row: SubscriptionChanges, transfer: Transfer, now: Date): Leaves {
  const notFoundCount = transfer.notFoundCount + 1;
  const lost = notFoundCount >= NOT_FOUND_LIMIT;
  row.keep({ ...transfer, notFoundCount, ...(lost ? { state: 'lost' as const, resolvedAt: now } : {}) });
  if (!lost) row.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
  return lost ? 'read' : 'nothing';
}

/** A wait that outlives two minutes is written as one blocked attempt; polling writes nothing (attempts#long-wait-recorded-once). */
function keepWaiting(row: SubscriptionChanges, transfer: Transfer, kind: 'waiting' | 'unknown', now: Date): Leaves {
  const nextTryAt = nextPollAt(transfer, now);
  if (transfer.longWaitRecorded || !waitedLong(transfer, now)) {
    row.apply({ kind: 'poll_scheduled', nextTryAt }, now);
  } else {
    const reason = kind === 'waiting' ? 'send_unconfirmed' : 'landing_unknown';
    row.keep({ ...transfer, longWaitRecorded: true });
    row.apply(
      {
        kind: 'blocked',
        reason,
        block: blockedReason(reason),
        amount: reason === 'landing_unknown' ? row.plan.amount : transfer.amount,
        periodStart: reason === 'landing_unknown' ? null : transfer.periodStart,
        nextTryAt,
      },
      now,
    );
  }
  return kind === 'waiting' ? 'send' : 'nothing';
}

/**
 * The chain paid the period its own clock was in, which is a later one than was asked for when the charge landed past the
 * boundary (billing-periods#billing-grid): the record follows the chain, and the period that was asked for is missed.
 */
function settleLanded(row: SubscriptionChanges, transfer: Transfer, outcome: Landed, now: Date): void {
  const asked = periodOf(transfer);
  const periodStart = later(asked, paidPeriod(row.plan, asked, outcome.time));
  if (asked < periodStart) row.apply({ kind: 'missed', since: asked, until: periodStart }, now);
  row.keep({ ...transfer, state: 'landed', periodStart, resolvedAt: now });
  const { amount, signature } = transfer;
  row.apply({ kind: 'paid', payment: { amount, received: outcome.received, periodStart, signature } }, now);
}

/**
 * Start of the period that a transfer pays which lands at an instant, on the grid that `boundary` is on. At its end a plan
 * opens no new one (program#period-arithmetic).
 */
export function paidPeriod(plan: Plan, boundary: Date, landedAt: Date): Date {
  const latest = plan.endsAt === null ? landedAt : earlier(landedAt, plus(plan.endsAt, -1000));
  return periodAt(boundary, plan, latest).start;
}

/** A charge is always of a known period; only a subscribing transfer learns its own when it lands. */
function periodOf(transfer: Transfer): Date {
  if (transfer.periodStart === null)
    throw new Error(`Transfer ${transfer.id} is no charge of a known period.`);
  return transfer.periodStart;
}
