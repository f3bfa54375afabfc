import { toWireDate } from '../contract/scalars.js';
import type { Json, Plan, Subscription } from '../records/index.js';
import type { Transition, Payment } from './transition.js';
import type { ChangeContext, RaisedEvent } from './drafts.js';
import { periodFrom } from '../rules/billing-periods.js';
import { RETRIES_BY_HAND } from '../rules/retry-policy.js';
import { entitlement } from '../rules/access.js';

/** The events a cause raises by itself, access aside (events#event-types-and-detail). */
export function eventsOf(
  before: Subscription,
  after: Subscription,
  cause: Transition,
  now: Date,
  context: ChangeContext,
): readonly RaisedEvent[] {
  const { plan } = context;
  switch (cause.kind) {
    case 'first_payment':
      return [
        {
          type: 'subscription.created',
          detail: {
            first_payment: paymentDetail(cause.payment, plan),
            ...(after.previousId === null ? {} : { previous_id: after.previousId }),
          },
        },
        ...(cause.expiresAt === null ? [] : [CANCELLED]),
      ];
    case 'checkout_expired':
      return [{ type: 'subscription.expired', detail: {} }];
    case 'paid':
      return [{ type: 'subscription.renewed', detail: paymentDetail(cause.payment, plan) }];
    case 'rejected':
      return after.status === 'stopped'
        ? [paymentFailed(after, cause, now, context), stopped(cause.reason)]
        : [paymentFailed(after, cause, now, context)];
    case 'deadline_elapsed':
      return after.status === 'stopped' && before.status !== 'stopped'
        ? [stopped('retry_deadline_passed')]
        : [];
    case 'ended':
      return [{ type: 'subscription.ended', detail: endDetail(cause.cancelledUntil) }];
    case 'cancelled':
      return before.status === 'cancelled' ? [] : [CANCELLED];
    case 'closed':
      return before.status === 'ended' ? [] : [{ type: 'subscription.ended', detail: {} }];
    case 'resumed':
      return [{ type: 'subscription.resumed', detail: {} }];
    case 'checkout_issued':
    case 'transaction_built':
    case 'rescheduled':
    case 'retry_queued':
    case 'submitted':
    case 'comeback_submitted':
    case 'superseded':
    case 'checkout_unpaid':
    case 'checkout_overtaken':
    case 'checkout_failed':
    case 'already_paid':
    case 'missed':
    case 'blocked':
    case 'poll_scheduled':
      return [];
  }
}

const CANCELLED: RaisedEvent = { type: 'subscription.cancelled', detail: {} };

function paymentDetail(payment: Payment, plan: Plan) {
  return {
    amount: payment.amount.toString(),
    mint: plan.mint,
    ...periodDetail(payment.periodStart, plan),
    signature: payment.signature,
  };
}

function periodDetail(periodStart: Date, plan: Plan) {
  const { start, end } = periodFrom(periodStart, plan);
  return { period_start: toWireDate(start), period_end: toWireDate(end) };
}

function paymentFailed(
  after: Subscription,
  cause: Extract<Transition, { kind: 'rejected' }>,
  now: Date,
  { plan, tier }: ChangeContext,
): RaisedEvent {
  const { nextRetryAt, retryDeadline } = entitlement(after, plan, tier, now);
  return {
    type: 'subscription.payment_failed',
    detail: {
      reason: cause.reason,
      amount: cause.amount.toString(),
      mint: plan.mint,
      ...periodDetail(cause.periodStart, plan),
      next_retry_at: toWireDate(nextRetryAt),
      retry_deadline: toWireDate(retryDeadline),
      ...retriesDetail(after),
    },
  };
}

function retriesDetail({ late }: Subscription) {
  if (late === null) return { retries_left: 0, retry_mode: null };
  if (late.automatic === null) {
    const left = RETRIES_BY_HAND - late.byHand.count;
    return { retries_left: left, retry_mode: left === 0 ? null : 'manual' };
  }
  return { retries_left: late.automatic.allowed - late.automatic.spent, retry_mode: 'scheduled' };
}

function stopped(reason: string): RaisedEvent {
  return { type: 'subscription.stopped', detail: { reason } };
}

/** A cancellation's end tells the moment it describes; every other end tells it by `data` alone (contract, Event types). */
function endDetail(cancelledUntil: Date | null): Json {
  return cancelledUntil === null ? {} : { changed_at: toWireDate(cancelledUntil), end_reason: 'cancelled' };
}
