import type { ChainRefusal, ChainSilence, ChargeOrder } from '../ports/index.js';
import { blockedReason, closesAuthority, refusalReason, silenceReason } from '../rules/attempt-reasons.js';
import { blockedAgain } from '../rules/blocked-wait.js';
import type { Decision } from '../rules/decide.js';
import { chargeable, plus, tryOrEnd } from '../rules/grid.js';
import type { Row } from './row.js';
import { chargeAsk } from './row.js';

/** D10, gone_unconfirmed: how long until the second look. */
const SECOND_LOOK_MS = 60_000;

/** A charge to be signed, and the period it pays. */
export interface Intent {
  readonly row: Row;
  readonly order: ChargeOrder;
  readonly periodStart: Date;
}

/**
 * Applies what a look at the chain decided. Answers the charge to make, if one is to be made. `refusal` is why the
 * chain has just refused a charge of this row: the look then explains it, and nothing is sent.
 */
export function applyDecision(
  row: Row,
  decision: Decision,
  chainTime: Date,
  refusal: ChainRefusal | null,
  now: Date,
): Intent | null {
  switch (decision.kind) {
    case 'not_due': {
      const again = plus(now, decision.waitMs);
      // The program refused it because the chain's clock was behind ours.
      if (refusal !== null) {
        block(row, refusalReason(refusal), row.plan.amount, row.subscription.paidPeriodEnd, again, now);
      } else row.apply({ kind: 'looked', again }, now);
      return null;
    }
    case 'gone':
      block(row, 'gone_unconfirmed', row.plan.amount, null, plus(now, SECOND_LOOK_MS), now);
      return null;
    case 'terms_missing':
      block(row, 'terms_missing', row.plan.amount, null, null, now);
      return null;
    case 'ended':
      row.apply({ kind: 'ended', reason: decision.reason, cancelledUntil: decision.cancelledUntil }, now);
      return null;
    case 'cancelled':
      row.apply({ kind: 'cancelled', expiresAt: decision.expiresAt }, now);
      return null;
    case 'resumed':
      row.apply({ kind: 'resumed' }, now);
      return null;
    case 'already_paid':
      row.apply({ kind: 'already_paid', periodStart: decision.periodStart }, now);
      return null;
    case 'charge':
      return applyCharge(row, decision, chainTime, refusal, now);
  }
}

/** A chain that could not be asked blocks a charge that is due; where none is due it is only asked again (D10). */
export function applySilence(row: Row, silence: ChainSilence, now: Date): void {
  const reason = silenceReason(silence);
  const again = blockedAgain(row.subscription, 'mesub', row.plan, row.tier, now);
  const due = row.subscription.status !== 'cancelled' && chargeable(now, row.plan);
  if (due) block(row, reason, row.plan.amount, null, again, now);
  else row.apply({ kind: 'looked', again }, now);
}

function applyCharge(
  row: Row,
  decision: Extract<Decision, { kind: 'charge' }>,
  chainTime: Date,
  refusal: ChainRefusal | null,
  now: Date,
): Intent | null {
  const { amount, periodStart, missed, finding } = decision;
  if (missed !== null) row.apply({ kind: 'missed', ...missed }, now);
  // D9.5: nothing is sent within the last two minutes of a plan.
  if (!chargeable(chainTime, row.plan)) {
    row.apply({ kind: 'looked', again: tryOrEnd(now, row.plan) }, now);
    return null;
  }
  switch (finding.kind) {
    case 'rejected': {
      const named =
        refusal !== null && closesAuthority(finding.reason) ? refusalReason(refusal) : finding.reason;
      row.apply({ kind: 'rejected', reason: named, amount, periodStart }, now);
      return null;
    }
    case 'blocked': {
      const again = blockedAgain(row.subscription, blockedReason(finding.reason), row.plan, row.tier, now);
      block(row, finding.reason, amount, periodStart, again, now, refusal);
      return null;
    }
    case 'send': {
      if (refusal === null) {
        const ask = chargeAsk(row.plan, row.subscription.wallet);
        return { row, periodStart, order: { ...ask, amount, receiverAccount: finding.receiverAccount } };
      }
      const again = blockedAgain(row.subscription, 'mesub', row.plan, row.tier, now);
      block(row, refusalReason(refusal), amount, periodStart, again, now);
      return null;
    }
  }
}

/** `reason` names the block; after a refusal by the chain the attempt carries the chain's own code. */
function block(
  row: Row,
  reason: string,
  amount: bigint,
  periodStart: Date | null,
  again: Date | null,
  now: Date,
  refusal: ChainRefusal | null = null,
): void {
  row.apply(
    {
      kind: 'blocked',
      reason: refusal === null ? reason : refusalReason(refusal),
      block: blockedReason(reason),
      amount,
      periodStart,
      again,
    },
    now,
  );
}
