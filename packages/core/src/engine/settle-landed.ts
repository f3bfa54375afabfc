import type { ReasonCode } from '../contract/confirmation.js';
import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Incarnation, Plan, Transfer } from '../records/index.js';
import { periodMs } from '../records/index.js';
import type { Cause, Payment } from '../rules/cause.js';
import { isIncarnation } from '../rules/incarnation.js';
import type { Landed } from './resolve.js';
import { paidPeriod } from './resolve.js';
import type { Row } from './row.js';

/**
 * Settles a checkout whose transaction landed: with it the wallet's other checkouts end, and a comeback supersedes what it
 * came back over, all in one commit. Where what stands on chain is not what was reserved, the checkout fails with its payment
 * on record.
 */
export function settleLanded(
  row: Row,
  transfer: Transfer,
  fate: Landed,
  view: ChargeView,
  others: readonly Row[],
  now: Date,
): void {
  const previous = others.find(({ subscription }) => subscription.id === row.subscription.previousId) ?? null;
  const found = incarnationOf(view, transfer, fate, previous, row.plan);
  const payment: Payment = {
    amount: transfer.amount,
    received: fate.received,
    periodStart: firstPeriod(transfer, found, fate, row.plan),
    signature: transfer.signature,
  };
  const settle = (reasonCode: ReasonCode | null) =>
    row.keep({ ...transfer, state: 'landed', periodStart: payment.periodStart, reasonCode, resolvedAt: now });

  const running = others.find(({ subscription: { status } }) => status === 'active' || status === 'unpaid');
  if (transfer.kind === 'comeback' && running !== undefined) {
    settle('earlier_subscription_running');
    row.apply({ kind: 'checkout_failed', payment: null }, now);
    payTo(running, payment, now);
    row.join(running);
    return;
  }
  const reasonCode = mismatch(view.subscription, found, row.plan);
  settle(reasonCode);
  if (found === null || view.subscription === null || reasonCode !== null) {
    row.apply({ kind: 'checkout_failed', payment }, now);
    return;
  }
  row.apply({ kind: 'first_payment', payment, landedAt: fate.time, incarnation: found }, now);
  const { expiresAt } = view.subscription;
  if (expiresAt !== null) row.apply({ kind: 'cancelled', expiresAt, again: expiresAt }, now);
  endOthers(row, previous, others, now);
}

/**
 * Which incarnation a payment was made for: the one that was come back over, or the one that came with it. Null when another
 * stands there, or none.
 */
function incarnationOf(
  { subscription }: ChargeView,
  transfer: Transfer,
  fate: Landed,
  previous: Row | null,
  plan: Plan,
): Incarnation | null {
  if (subscription === null) return null;
  if (transfer.kind === 'comeback') {
    const known = previous?.subscription.incarnation ?? null;
    return known !== null && isIncarnation(subscription, known, plan) ? known : null;
  }
  const anchor = anchorOf(subscription.periodStart, fate.time, plan);
  if (Math.abs(anchor.getTime() - fate.time.getTime()) > REMADE_MS) return null;
  return { generation: subscription.generation, planCreatedAt: subscription.planCreatedAt, anchor };
}

/** The period a checkout paid for: the grid begins with it, unless it goes on from an earlier subscription (D15.2). */
function firstPeriod(transfer: Transfer, found: Incarnation | null, fate: Landed, plan: Plan): Date {
  if (found === null) return fate.time;
  return transfer.kind === 'comeback' ? paidPeriod(plan, found.anchor, fate.time) : found.anchor;
}

/** How far what a node tells of a landing's time may be from the chain's own clock in it. */
const REMADE_MS = 30_000;

/**
 * The anchor of the grid: the recorded period's start, or, when later periods were paid before this look, as many
 * whole periods before it as bring it next to the landing.
 */
function anchorOf(periodStart: Date, landedAt: Date, plan: Plan): Date {
  const length = periodMs(plan);
  const periods = Math.round((periodStart.getTime() - landedAt.getTime()) / length);
  return new Date(periodStart.getTime() - periods * length);
}

/** Why what stands on chain is not what was reserved, or null when it is. */
function mismatch(
  account: SubscriptionView | null,
  found: Incarnation | null,
  plan: Plan,
): ReasonCode | null {
  if (account === null || found === null) return 'subscription_remade';
  const same =
    account.amount === plan.amount &&
    account.periodHours === plan.periodHours &&
    account.planCreatedAt.getTime() === plan.createdOnChainAt?.getTime();
  if (!same) return 'subscription_mismatch';
  const firstPeriod = account.periodStart.getTime() === found.anchor.getTime();
  const partPaid = firstPeriod && account.pulled < plan.amount;
  return plan.operatorPlan && (account.expiresAt !== null || partPaid) ? 'dev_not_running' : null;
}

/** Records a payment with a subscription that runs, and leaves a charge of it that is under way to its own look-up. */
function payTo(running: Row, payment: Payment, now: Date): void {
  const { nextTryAt } = running.subscription;
  running.apply({ kind: 'paid', payment }, now);
  if (running.openTransfer !== null && nextTryAt !== null)
    running.apply({ kind: 'looked', again: nextTryAt }, now);
}

/**
 * Every other open checkout of the wallet for the plan expires with the one that landed (D12.2); one whose own
 * transaction is still under way, as soon as that is known not to have landed. What was come back over is superseded, unless it ended
 * meanwhile: what ended stays ended (D15.3).
 */
function endOthers(row: Row, previous: Row | null, others: readonly Row[], now: Date): void {
  for (const other of others) {
    const cause = endOf(other, other === previous);
    if (cause === null) continue;
    other.apply(cause, now);
    row.join(other);
  }
}

function endOf({ subscription: { status }, openTransfer }: Row, cameBackOver: boolean): Cause | null {
  if (status === 'pending') return { kind: openTransfer === null ? 'checkout_expired' : 'checkout_outrun' };
  return cameBackOver && (status === 'stopped' || status === 'cancelled') ? { kind: 'superseded' } : null;
}
