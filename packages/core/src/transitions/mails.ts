import type { EventType, MailKind } from '../contract/enums.js';
import { NO_MAIL_FACTS, type Mail, type MailFacts, type Subscription } from '../records/index.js';
import { entitlement } from '../rules/access.js';
import type { At } from '../rules/at.js';
import { chargeable, periodFrom, plus } from '../rules/billing-periods.js';
import { lastTryAt } from '../rules/reminders.js';
import { retriesLeft } from '../rules/retry-policy.js';
import type { Payment, Transition } from './transition.js';

const DAY_MS = 24 * 3_600_000;

/** A mail before it has an id. */
export interface MailDraft extends Pick<Mail, 'kind' | 'email' | 'facts' | 'createdAt'> {
  /** The type of the event of the same change; null for a reminder. */
  readonly event: EventType | null;
}

/** The content of a mail, which depends on its cause. */
type Content = readonly [kind: MailKind, event: EventType | null, facts: Partial<MailFacts>];

/** The mails that a transition causes: none to a subscription without an email (mails#kinds-of-mails). */
export function mailsOf(
  before: Subscription,
  after: Subscription,
  transition: Transition,
  at: At,
): readonly MailDraft[] {
  const { email } = after;
  if (at.mails !== true || email === null) return [];
  return contentsOf(before, after, transition, at).map(([kind, event, facts]) => ({
    kind,
    email,
    event,
    facts: { ...NO_MAIL_FACTS, ...facts },
    createdAt: at.now,
  }));
}

function contentsOf(
  before: Subscription,
  after: Subscription,
  transition: Transition,
  at: At,
): readonly Content[] {
  switch (transition.kind) {
    case 'first_payment':
      return [
        receipt('subscription.created', after, transition.payment, at),
        ...(transition.expiresAt === null ? [] : [cancelled(after, at)]),
      ];
    case 'paid':
      return [receipt('subscription.renewed', after, transition.payment, at)];
    case 'rejected':
      return [
        after.status === 'stopped'
          ? stopped(transition.reason, transition.missing)
          : paymentFailed(after, transition, at),
      ];
    case 'retry_deadline_passed':
      return [stopped(transition.kind)];
    case 'cancelled':
      return before.status === after.status ? [] : [cancelled(after, at)];
    case 'ended':
      // What its wallet closed is nothing to tell it (mails#one-mail-per-change).
      return after.endReason === 'closed_elsewhere'
        ? []
        : [['ended', 'subscription.ended', { reason: after.endReason }]];
    case 'reminded':
      return reminder(after, transition, at);
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
    case 'checkout_failed':
    case 'checkout_expired':
    case 'already_paid':
    case 'missed':
    case 'refused':
    case 'blocked':
    case 'resumed':
    case 'closed':
    case 'access_ended':
    case 'paused':
    case 'unpaused':
    case 'tier_changed':
    case 'renewal_upcoming':
    case 'renewal_notice_postponed':
    case 'reminder_postponed':
    case 'checked':
    case 'reinstated':
    case 'poll_scheduled':
      return [];
  }
}

function receipt(
  event: EventType,
  after: Subscription,
  { amount, periodStart, signature }: Payment,
  at: At,
): Content {
  const { start, end } = periodFrom(periodStart, at.plan);
  const facts = { amount, periodStart: start, periodEnd: end, signature };
  const dueAt = ahead(entitlement(after, at).nextChargeAt, at);
  return ['receipt', event, { ...facts, dueAt, reason: whyLast(after, at) }];
}

/** Why no charge follows a payment; null where one does, or where that is not known. */
function whyLast({ status, paidPeriodEnd }: Subscription, { plan }: At): string | null {
  if (status === 'cancelled') return 'cancelled';
  const isPaid = status === 'active' && paidPeriodEnd !== null;
  return isPaid && !chargeable(paidPeriodEnd, plan) ? 'plan_ended' : null;
}

/** A date that a mail may announce; null for one that has passed. */
const ahead = (date: Date | null, { now }: At): Date | null => (date !== null && date > now ? date : null);

function paymentFailed(
  after: Subscription,
  { reason, amount, missing }: Extract<Transition, { kind: 'rejected' }>,
  at: At,
): Content {
  const { nextRetryAt, retryDeadline, accessUntil } = entitlement(after, at);
  const { late } = after;
  const byHand = late !== null && late.automatic === null;
  const last = lastTryAt(after, at);
  const isLast = last !== null && last <= plus(at.now, DAY_MS) && !byHand;
  const facts = {
    amount,
    missing: missing ?? null,
    reason,
    dueAt: ahead(nextRetryAt ?? retryDeadline, at),
    accessUntil,
    retriesLeft: retriesLeft(late, nextRetryAt, at),
    byHand,
  };
  return [isLast ? 'last_try' : 'payment_failed', 'subscription.payment_failed', facts];
}

/** The reason is that of the last try, which says what to do. */
function stopped(reason: string, missing: bigint | null = null): Content {
  return ['stopped', 'subscription.stopped', { reason, missing }];
}

function cancelled(after: Subscription, at: At): Content {
  const { cancellation } = after;
  const dueAt = cancellation?.expiresAt ?? null;
  return ['cancelled', 'subscription.cancelled', { dueAt, accessUntil: entitlement(after, at).accessUntil }];
}

/**
 * A reminder that needs the wallet to act is no mail while the wallet could pay, unless only a call of the
 * customer charges it.
 */
function reminder(
  after: Subscription,
  { reminder: { kind, of: dueAt }, rejection, missing }: Extract<Transition, { kind: 'reminded' }>,
  at: At,
): readonly Content[] {
  const byHand = after.late !== null && after.late.automatic === null;
  const isOfWallet = kind === 'cannot_pay' || (kind === 'last_try' && !byHand);
  if (isOfWallet && rejection === null) return [];
  const { accessUntil } = entitlement(after, at);
  return [[kind, null, { amount: at.plan.amount, missing, reason: rejection, dueAt, accessUntil, byHand }]];
}
