import type { Late, NewAttempt, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { MANUAL_RETRIES } from '../rules/retry-policy.js';
import { failedIn, isRetryOf } from './late-payment.js';
import type { Transition } from './transition.js';

/** An attempt before it has an id, a price and a fee. */
export type AttemptDraft = Omit<NewAttempt, 'id' | 'amountUsd' | 'fee'>;

/**
 * The attempt that a transition records, or null when no charge was tried. Its amount and its null fields
 * follow attempts#attempt-amount and attempts#attempt-period-start.
 */
export function attemptOf(before: Subscription, transition: Transition, at: At): AttemptDraft | null {
  switch (transition.kind) {
    case 'first_payment':
    case 'checkout_failed':
    case 'paid': {
      if (transition.payment === null) return null;
      const { received: amountReceived, ...payment } = transition.payment;
      return draft(before, at, { outcome: 'paid', reason: null, amountReceived, ...payment });
    }
    case 'already_paid':
      return draft(before, at, {
        outcome: 'skipped',
        reason: 'period_already_paid',
        amount: 0n,
        periodStart: transition.periodStart,
      });
    case 'missed':
      return draft(before, at, {
        outcome: 'skipped',
        reason: 'period_missed',
        amount: at.plan.amount,
        periodStart: transition.since,
      });
    case 'rejected':
    case 'refused':
    case 'blocked':
      return draft(before, at, {
        outcome: transition.kind === 'rejected' ? 'rejected' : 'blocked',
        reason: transition.reason,
        amount: transition.amount,
        periodStart: transition.periodStart,
      });
    case 'ended':
      return before.status === 'cancelled'
        ? null
        : draft(before, at, { outcome: 'skipped', reason: transition.reason, amount: at.plan.amount });
    case 'customer_corrected':
    case 'customer_kept':
    case 'checkout_opened':
    case 'checkout_issued':
    case 'transaction_built':
    case 'rescheduled':
    case 'retry_queued':
    case 'submitted':
    case 'sibling_submitted':
    case 'change_submitted':
    case 'replaced':
    case 'superseded':
    case 'checkout_unpaid':
    case 'checkout_overtaken':
    case 'checkout_expired':
    case 'cancelled':
    case 'resumed':
    case 'closed':
    case 'access_ended':
    case 'paused':
    case 'unpaused':
    case 'tier_changed':
    case 'retry_deadline_passed':
    case 'renewal_upcoming':
    case 'renewal_notice_postponed':
    case 'reminded':
    case 'reminder_postponed':
    case 'checked':
    case 'reinstated':
    case 'poll_scheduled':
      return null;
  }
}

function draft(
  before: Subscription,
  at: At,
  facts: Partial<AttemptDraft> & Pick<AttemptDraft, 'outcome' | 'reason' | 'amount'>,
): AttemptDraft {
  return {
    subscriptionId: before.id,
    attemptedAt: at.now,
    amountReceived: null,
    signature: null,
    periodStart: null,
    ...facts,
    ...retryFacts(before, facts.periodStart ?? null),
  };
}

/**
 * A charge of a period of which one failed before is a retry. It carries the number under which it ran
 * (attempts#attempt-retry-fields): none where the plan's retries have not come to that period yet.
 */
function retryFacts({ late }: Subscription, periodStart: Date | null) {
  const retry = late !== null && periodStart !== null && failedIn(late, periodStart);
  const numbered = retry && isRetryOf(late, periodStart);
  return { retry, ...(numbered ? numberOf(late) : { retryNumber: null, retriesAllowed: null }) };
}

/**
 * The number of the next automatic retry, or of the next manual one on Free. A manual retry on another tier
 * has no number.
 */
function numberOf({ automatic, byHand, queuedAt }: Late) {
  if (automatic === null) return { retryNumber: byHand.count + 1, retriesAllowed: MANUAL_RETRIES };
  return queuedAt === null
    ? { retryNumber: automatic.spent + 1, retriesAllowed: automatic.allowed }
    : { retryNumber: null, retriesAllowed: null };
}
