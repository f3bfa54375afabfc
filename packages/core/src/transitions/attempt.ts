import type { Late, Plan, Subscription } from '../records/index.js';
import type { Transition } from './transition.js';
import type { AttemptDraft } from './drafts.js';
import { RETRIES_BY_HAND } from '../rules/retry-policy.js';

/** The attempt a change puts on record, or null when nothing was tried. Amounts and nulls as the contract's table has them. */
export function attemptOf(before: Subscription, cause: Transition, now: Date, plan: Plan): AttemptDraft | null {
  const draft = (
    facts: Partial<AttemptDraft> & Pick<AttemptDraft, 'outcome' | 'reason' | 'amount'>,
  ): AttemptDraft => ({
    subscriptionId: before.id,
    attemptedAt: now,
    amountReceived: null,
    signature: null,
    periodStart: null,
    ...retryFacts(before, facts.periodStart ?? null),
    ...facts,
  });
  switch (cause.kind) {
    case 'first_payment':
    case 'checkout_failed':
    case 'paid':
      if (cause.payment === null) return null;
      return draft({
        outcome: 'paid',
        reason: null,
        amount: cause.payment.amount,
        amountReceived: cause.payment.received,
        signature: cause.payment.signature,
        periodStart: cause.payment.periodStart,
      });
    case 'already_paid':
      return draft({
        outcome: 'skipped',
        reason: 'period_already_paid',
        amount: 0n,
        periodStart: cause.periodStart,
      });
    case 'missed':
      return draft({
        outcome: 'skipped',
        reason: 'period_missed',
        amount: plan.amount,
        periodStart: cause.since,
      });
    case 'rejected':
      return draft({
        outcome: 'rejected',
        reason: cause.reason,
        amount: cause.amount,
        periodStart: cause.periodStart,
      });
    case 'blocked':
      return draft({
        outcome: 'blocked',
        reason: cause.reason,
        amount: cause.amount,
        periodStart: cause.periodStart,
      });
    case 'ended':
      return before.status === 'cancelled'
        ? null
        : draft({ outcome: 'skipped', reason: cause.reason, amount: plan.amount });
    case 'checkout_issued':
    case 'transaction_built':
    case 'rescheduled':
    case 'retry_queued':
    case 'submitted':
    case 'comeback_submitted':
    case 'superseded':
    case 'checkout_unpaid':
    case 'checkout_overtaken':
    case 'checkout_expired':
    case 'cancelled':
    case 'resumed':
    case 'closed':
    case 'deadline_elapsed':
    case 'poll_scheduled':
      return null;
  }
}

/** A charge of the period that was missed is a retry, and carries the number it ran under. */
function retryFacts(before: Subscription, periodStart: Date | null) {
  const late = before.late;
  const retry = late !== null && periodStart !== null && late.periodStart.getTime() === periodStart.getTime();
  return { retry, ...(retry ? numberOf(late) : { retryNumber: null, retriesAllowed: null }) };
}

/** Of the plan's own retries the next one's; of those by hand, on Free, likewise, and else none: they run beside the plan's. */
function numberOf({ automatic, byHand, queuedAt }: Late) {
  if (automatic === null) return { retryNumber: byHand.count + 1, retriesAllowed: RETRIES_BY_HAND };
  return queuedAt === null
    ? { retryNumber: automatic.spent + 1, retriesAllowed: automatic.allowed }
    : { retryNumber: null, retriesAllowed: null };
}
