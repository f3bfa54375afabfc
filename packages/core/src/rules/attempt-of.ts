import type { Plan, Subscription } from '../records/index.js';
import type { Cause } from './cause.js';
import type { AttemptDraft } from './drafts.js';

/** The attempt a change puts on record, or null when nothing was tried. Amounts and nulls as the contract's table has them. */
export function attemptOf(before: Subscription, cause: Cause, now: Date, plan: Plan): AttemptDraft | null {
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
    case 'handed_out':
    case 'submitted':
    case 'checkout_unpaid':
    case 'checkout_expired':
    case 'cancelled':
    case 'resumed':
    case 'date_passed':
    case 'looked':
      return null;
  }
}

/** A charge of the period that was missed is a retry, and carries the number it ran under. */
function retryFacts(before: Subscription, periodStart: Date | null) {
  const late = before.late;
  const retry = late !== null && periodStart !== null && late.periodStart.getTime() === periodStart.getTime();
  const automatic = retry ? late.automatic : null;
  return {
    retry,
    retryNumber: automatic === null ? null : automatic.spent + 1,
    retriesAllowed: automatic === null ? null : automatic.allowed,
  };
}
