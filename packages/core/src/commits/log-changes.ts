import type { Logger } from '../ports/index.js';
import type { AttemptOutcome } from '../contract/enums.js';
import type { Plan, Subscription } from '../records/index.js';
import type { AttemptDraft } from '../transitions/attempt.js';
import type { Transition } from '../transitions/transition.js';
import type { CollectedChanges } from './subscription-changes.js';

/** The line of the log for each outcome of an attempt. */
const OF_ATTEMPT: Readonly<Record<AttemptOutcome, string>> = {
  paid: 'A charge was paid.',
  rejected: 'A charge failed.',
  blocked: 'A charge is blocked.',
  skipped: 'A charge was left out.',
};

/** The line of the log for a change that no attempt tells, and that makes a difference to a reader. */
const OF_TRANSITION: Readonly<Partial<Record<Transition['kind'], string>>> = {
  checkout_opened: 'A checkout was opened.',
  submitted: 'A checkout was submitted. Its transaction is sent.',
  checkout_unpaid: 'The transaction of a checkout did not land. The wallet may try again.',
  first_payment: 'A subscription was created.',
  checkout_failed: 'A checkout failed.',
  superseded: 'A subscription was replaced by a comeback.',
  checkout_expired: 'A checkout expired.',
  resumed: 'A subscription was resumed.',
  closed: 'The account of a subscription was closed.',
  ended: 'A subscription ended.',
  replaced: 'A subscription ended.',
  reinstated: 'A subscription runs again.',
  retry_queued: 'A retry was asked for.',
  customer_corrected: 'The customer of a subscription was corrected.',
  access_ended: 'The access of a subscription ended by its date.',
  paused: 'The seat of a subscription was parked.',
  unpaused: 'The seat of a subscription is back.',
};

/** Logs each attempt to charge and each change (alerts#log-of-charges-and-subscriptions). */
export function logChanges(logger: Logger, { before, plan, changes }: CollectedChanges): void {
  let earlier = before;
  for (const { transition, attempt, after } of changes) {
    const subject = subjectOf(after, plan);
    if (attempt !== null)
      logger.info({ ...subject, ...attemptFacts(attempt, after) }, OF_ATTEMPT[attempt.outcome]);
    const sentence = OF_TRANSITION[transition];
    if (sentence !== undefined) logger.info({ ...subject, ...stateFacts(after) }, sentence);
    // A first payment may be read after the wallet has cancelled. One that runs again was cancelled before.
    if (after.status === 'cancelled' && earlier.status !== 'cancelled' && transition !== 'reinstated')
      logger.info({ ...subject, ...stateFacts(after) }, 'A subscription was cancelled.');
    if (after.status === 'stopped' && earlier.status !== 'stopped')
      logger.info({ ...subject, ...stateFacts(after) }, 'A subscription stopped.');
    earlier = after;
  }
}

/** The subject of a line of the log: the ids, the plan, and the project's reference of the customer. */
export function subjectOf(
  { id, projectId, externalId }: Subscription,
  { id: plan, slug, mint }: Plan,
): Readonly<Record<string, string>> {
  const customer = externalId === null ? {} : { customer: externalId };
  return { project: projectId, subscription: id, ...customer, plan, slug, mint };
}

function attemptFacts(
  { outcome, reason, amount, signature, periodStart, retry, retryNumber }: AttemptDraft,
  after: Subscription,
): object {
  const common = {
    amount: amount.toString(),
    ...(periodStart === null ? {} : { period_start: periodStart.toISOString() }),
    ...(retry ? { retry: retryNumber } : {}),
  };
  switch (outcome) {
    case 'paid':
      return { ...common, signature, paid_until: textOf(after.paidPeriodEnd) };
    case 'rejected':
      return { ...common, reason, next_attempt_at: textOf(after.late?.automatic?.nextAt ?? null) };
    case 'blocked':
    case 'skipped':
      return { ...common, reason, next_attempt_at: textOf(after.nextTryAt) };
  }
}

function stateFacts({ status, stopReason, endReason, cancellation }: Subscription): object {
  const reason = stopReason ?? endReason;
  return {
    status,
    ...(reason === null ? {} : { reason }),
    ...(status === 'cancelled' ? { expires_at: textOf(cancellation?.expiresAt ?? null) } : {}),
  };
}

function textOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
