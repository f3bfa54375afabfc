import type { ChainRefusal, ChainUnavailable, ChargeOrder } from '../../ports/index.js';
import { blockedReason, closesAuthority, refusalReason, unavailableReason } from '../../rules/attempt-reasons.js';
import { nextBlockedRetryAt } from '../../rules/next-blocked-retry.js';
import type { Decision } from '../../rules/decide.js';
import { chargeable, plus } from '../../rules/billing-periods.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { chargeTarget } from '../../commits/subscription-changes.js';

/** attempts#first-finding-decides, gone_unconfirmed: how long until the second look. */
const SECOND_LOOK_MS = 60_000;

/** A charge to be signed, and the period it pays. */
export interface Intent {
  readonly row: SubscriptionChanges;
  readonly order: ChargeOrder;
  readonly periodStart: Date;
}

/** A charge of a row that the chain has just refused: the next look explains it, and nothing is sent. */
export interface Refused {
  readonly refusal: ChainRefusal;
  readonly amount: bigint;
  readonly periodStart: Date | null;
}

/** Applies what a look at the chain decided. Answers the charge to make, if one is to be made. */
export function applyDecision(
  row: SubscriptionChanges,
  decision: Decision,
  refused: Refused | null,
  now: Date,
): Intent | null {
  switch (decision.kind) {
    case 'not_due': {
      const nextTryAt = plus(now, decision.waitMs);
      // The program refused it because the chain's clock was behind ours.
      if (refused !== null) blockRefused(row, refused, nextTryAt, now);
      else row.apply({ kind: 'poll_scheduled', nextTryAt }, now);
      return null;
    }
    case 'ending':
      row.apply({ kind: 'poll_scheduled', nextTryAt: plus(now, decision.waitMs) }, now);
      return null;
    case 'gone':
      block(
        row,
        'gone_unconfirmed',
        { amount: row.plan.amount, periodStart: null },
        plus(now, SECOND_LOOK_MS),
        now,
      );
      return null;
    case 'terms_missing':
      block(row, 'terms_missing', { amount: row.plan.amount, periodStart: null }, null, now);
      return null;
    case 'ended':
      row.apply({ kind: 'ended', reason: decision.reason, cancelledUntil: decision.cancelledUntil }, now);
      return null;
    case 'cancelled': {
      const nextTryAt = plus(now, decision.waitMs);
      const known = row.subscription.status === 'cancelled';
      row.apply(
        known ? { kind: 'poll_scheduled', nextTryAt } : { kind: 'cancelled', expiresAt: decision.expiresAt, nextTryAt },
        now,
      );
      return null;
    }
    case 'resumed':
      row.apply({ kind: 'resumed' }, now);
      return null;
    case 'already_paid':
      if (decision.missed !== null) row.apply({ kind: 'missed', ...decision.missed }, now);
      row.apply({ kind: 'already_paid', periodStart: decision.periodStart }, now);
      return null;
    case 'charge':
      return applyCharge(row, decision, refused, now);
  }
}

/** A chain that could not be asked blocks a charge that is due; where none is due it is only asked again (attempts#first-finding-decides). */
export function applyChainUnavailable(row: SubscriptionChanges, unavailable: ChainUnavailable, refused: Refused | null, now: Date): void {
  const nextTryAt = laterRetryAt(row, now);
  if (refused !== null) {
    blockRefused(row, refused, nextTryAt, now);
    return;
  }
  const due = row.subscription.status !== 'cancelled' && chargeable(now, row.plan);
  if (due) block(row, unavailableReason(unavailable), { amount: row.plan.amount, periodStart: null }, nextTryAt, now);
  else row.apply({ kind: 'poll_scheduled', nextTryAt }, now);
}

/** A charge that could not be signed: the signer, or the chain it needs a blockhash of, did not answer. */
export function applyUnsigned({ row, order, periodStart }: Intent, unavailable: ChainUnavailable, now: Date): void {
  block(row, unavailableReason(unavailable), { amount: order.amount, periodStart }, laterRetryAt(row, now), now);
}

/** The service's own record of the plan lacks what a charge must name (attempts#first-finding-decides, puller_missing). */
export function applyIncompletePlan(row: SubscriptionChanges, now: Date): void {
  const { paidPeriodEnd } = row.subscription;
  block(
    row,
    'puller_missing',
    { amount: row.plan.amount, periodStart: paidPeriodEnd },
    laterRetryAt(row, now),
    now,
  );
}

function applyCharge(
  row: SubscriptionChanges,
  decision: Extract<Decision, { kind: 'charge' }>,
  refused: Refused | null,
  now: Date,
): Intent | null {
  const { amount, periodStart, missed, finding } = decision;
  if (missed !== null) row.apply({ kind: 'missed', ...missed }, now);
  switch (finding.kind) {
    case 'rejected': {
      const explained = refused !== null && closesAuthority(finding.reason);
      const reason = explained ? refusalReason(refused.refusal) : finding.reason;
      row.apply({ kind: 'rejected', reason, amount, periodStart }, now);
      return null;
    }
    case 'blocked': {
      const nextTryAt = nextBlockedRetryAt(row.subscription, blockedReason(finding.reason), row.plan, row.tier, now);
      if (refused === null) block(row, finding.reason, { amount, periodStart }, nextTryAt, now);
      else blockRefused(row, refused, nextTryAt, now, finding.reason);
      return null;
    }
    case 'send':
      if (refused === null) {
        const ask = chargeTarget(row.plan, row.subscription.wallet);
        return { row, periodStart, order: { ...ask, amount, receiverAccount: finding.receiverAccount } };
      }
      blockRefused(row, refused, laterRetryAt(row, now), now);
      return null;
  }
}

/** When a try held up by the service's side, or the chain's, runs again. */
function laterRetryAt({ subscription, plan, tier }: SubscriptionChanges, now: Date): Date {
  return nextBlockedRetryAt(subscription, 'mesub', plan, tier, now);
}

type Tried = Pick<Refused, 'amount' | 'periodStart'>;

function block(
  row: SubscriptionChanges,
  reason: string,
  { amount, periodStart }: Tried,
  nextTryAt: Date | null,
  now: Date,
): void {
  row.apply({ kind: 'blocked', reason, block: blockedReason(reason), amount, periodStart, nextTryAt }, now);
}

/** The attempt carries the chain's own code; the block shows what the look found to be behind it, if anything. */
function blockRefused(row: SubscriptionChanges, refused: Refused, nextTryAt: Date, now: Date, found = ''): void {
  const { refusal, amount, periodStart } = refused;
  row.apply(
    {
      kind: 'blocked',
      reason: refusalReason(refusal),
      block: blockedReason(found),
      amount,
      periodStart,
      nextTryAt,
    },
    now,
  );
}
