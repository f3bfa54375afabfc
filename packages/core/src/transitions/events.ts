import type { EventType } from '../contract/enums.js';
import { toWireDate } from '../contract/scalars.js';
import type { Json, Plan, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { entitlement } from '../rules/access.js';
import { periodFrom } from '../rules/billing-periods.js';
import { renewalIssue } from '../rules/renewal-notice.js';
import { retriesLeft } from '../rules/retry-policy.js';
import type { Payment, Transition } from './transition.js';

/** An event before it is numbered and given the snapshot of its subscription. */
export interface RaisedEvent {
  readonly type: EventType;
  readonly detail: Json;
}

/** The events that a transition raises, without the access events (events#event-types-and-detail). */
export function eventsOf(
  before: Subscription,
  after: Subscription,
  transition: Transition,
  at: At,
): readonly RaisedEvent[] {
  const { plan } = at;
  switch (transition.kind) {
    case 'first_payment':
      return [
        {
          type: 'subscription.created',
          detail: {
            first_payment: paymentDetail(transition.payment, plan),
            ...(after.previousId === null ? {} : { previous_id: after.previousId }),
          },
        },
        ...(transition.expiresAt === null ? [] : [CANCELLED]),
      ];
    case 'checkout_expired':
      return [{ type: 'subscription.expired', detail: {} }];
    case 'paid':
      return [{ type: 'subscription.renewed', detail: paymentDetail(transition.payment, plan) }];
    case 'rejected':
      return after.status === 'stopped'
        ? [paymentFailed(after, transition, at), stopped(transition.reason)]
        : [paymentFailed(after, transition, at)];
    case 'retry_deadline_passed':
      return [stopped('retry_deadline_passed')];
    case 'ended':
    case 'replaced':
      return [{ type: 'subscription.ended', detail: endDetail(after) }];
    case 'cancelled':
      return before.status === after.status ? [] : [CANCELLED];
    case 'closed':
      return before.status === 'ended' || before.status === 'failed'
        ? []
        : [{ type: 'subscription.ended', detail: {} }];
    case 'resumed':
      return [{ type: 'subscription.resumed', detail: {} }];
    case 'paused':
      return [{ type: 'subscription.paused', detail: { changed_at: toWireDate(at.now) } }];
    case 'unpaused':
      return [{ type: 'subscription.unpaused', detail: { changed_at: toWireDate(at.now) } }];
    case 'renewal_upcoming':
      return [
        { type: 'subscription.renewal_upcoming', detail: renewalDetail(after, transition.rejection, plan) },
      ];
    case 'customer_corrected':
    case 'customer_kept':
    case 'tier_changed':
    case 'access_ended':
    case 'checkout_opened':
    case 'checkout_issued':
    case 'transaction_built':
    case 'rescheduled':
    case 'retry_queued':
    case 'submitted':
    case 'sibling_submitted':
    case 'change_submitted':
    case 'superseded':
    case 'checkout_unpaid':
    case 'checkout_overtaken':
    case 'checkout_failed':
    case 'already_paid':
    case 'missed':
    case 'refused':
    case 'blocked':
    case 'renewal_notice_postponed':
    case 'reminded':
    case 'reminder_postponed':
    case 'checked':
    case 'reinstated':
    case 'poll_scheduled':
      return [];
  }
}

const CANCELLED: RaisedEvent = { type: 'subscription.cancelled', detail: {} };

function renewalDetail({ paidPeriodEnd }: Subscription, rejection: string | null, plan: Plan) {
  return {
    can_pay: rejection === null,
    renewal_issue: renewalIssue(rejection),
    amount: plan.amount.toString(),
    mint: plan.mint,
    due_at: toWireDate(paidPeriodEnd),
  };
}

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
  rejected: Extract<Transition, { kind: 'rejected' }>,
  at: At,
): RaisedEvent {
  const { plan } = at;
  const { nextRetryAt, retryDeadline } = entitlement(after, at);
  return {
    type: 'subscription.payment_failed',
    detail: {
      reason: rejected.reason,
      amount: rejected.amount.toString(),
      mint: plan.mint,
      ...periodDetail(rejected.periodStart, plan),
      next_retry_at: toWireDate(nextRetryAt),
      retry_deadline: toWireDate(retryDeadline),
      ...retriesDetail(after, nextRetryAt, at),
    },
  };
}

function retriesDetail({ late }: Subscription, nextRetryAt: Date | null, at: At) {
  const left = retriesLeft(late, nextRetryAt, at);
  if (late === null || left === 0) return { retries_left: 0, retry_mode: null };
  return { retries_left: left, retry_mode: late.automatic === null ? 'manual' : 'scheduled' };
}

function stopped(reason: string): RaisedEvent {
  return { type: 'subscription.stopped', detail: { reason } };
}

/**
 * The detail of the end of a cancellation has its expiry and its reason, whatever the chain showed at the end
 * (events#end-of-a-cancellation). A change of plan names what replaces it. `data` says all about every other
 * end.
 */
function endDetail({ endReason, cancellation, replacedById }: Subscription): Json {
  if (endReason === 'plan_changed') return { replaced_by: replacedById };
  if (endReason !== 'cancelled' || cancellation === null) return {};
  return { changed_at: toWireDate(cancellation.expiresAt), end_reason: 'cancelled' };
}
