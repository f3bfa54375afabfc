import type { ReasonCode } from '../contract/confirmation.js';
import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Incarnation, Plan, Subscription, Transfer } from '../records/index.js';
import { periodMs } from '../records/index.js';
import type { Payment } from '../transitions/transition.js';
import { isIncarnation } from '../rules/incarnation.js';
import type { Landed } from './settle-charge.js';
import { paidPeriod } from './settle-charge.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';

/**
 * Settles a checkout whose transaction landed; a comeback supersedes what it came back over in the same commit. Where what
 * stands on chain is not what was reserved, the checkout fails with its payment on record.
 * @param paidFor the wallet's other subscriptions to the plan that were ever paid for, newest first
 */
export function settleLanded(
  row: SubscriptionChanges,
  transfer: Transfer,
  outcome: Landed,
  view: ChargeView,
  paidFor: readonly SubscriptionChanges[],
  now: Date,
): void {
  const { plan } = row;
  const previous = transfer.kind === 'comeback' ? cameBackOver(paidFor, outcome) : null;
  const found = previous?.subscription.incarnation ?? incarnationAt(view.subscription, outcome, plan);
  const payment: Payment = {
    amount: transfer.amount,
    received: outcome.received,
    periodStart: found === null ? outcome.time : firstPeriod(found, previous, outcome, plan),
    signature: transfer.signature,
  };
  const settle = (reasonCode: ReasonCode | null) =>
    row.keep({ ...transfer, state: 'landed', periodStart: payment.periodStart, reasonCode, resolvedAt: now });

  if (previous !== null && ranAgain(previous.subscription, payment)) {
    settle('earlier_subscription_running');
    row.apply({ kind: 'checkout_failed', payment: null }, now);
    payTo(previous, payment, now);
    row.join(previous);
    return;
  }
  const reasonCode = mismatch(view.subscription, found, payment, plan);
  settle(reasonCode);
  if (found === null || view.subscription === null || reasonCode !== null) {
    row.apply({ kind: 'checkout_failed', payment }, now);
    return;
  }
  const previousId = previous?.subscription.id ?? null;
  const { expiresAt } = view.subscription;
  const landed = { landedAt: outcome.time, incarnation: found, previousId, expiresAt };
  row.apply({ kind: 'first_payment', payment, ...landed }, now);
  if (previous !== null) supersede(previous, row, now);
}

/** The subscription a comeback paid for: the newest of those that had begun when it landed. */
function cameBackOver(paidFor: readonly SubscriptionChanges[], { time }: Landed): SubscriptionChanges | null {
  return (
    paidFor.find(({ subscription: { confirmedAt } }) => confirmedAt !== null && confirmedAt < time) ?? null
  );
}

/** Whether a stopped subscription runs again, or did and paid since: the wallet undid a cancellation of it on chain. */
function ranAgain({ status, paidPeriodStart }: Subscription, { periodStart }: Payment): boolean {
  const paidSince = paidPeriodStart !== null && paidPeriodStart >= periodStart;
  return status === 'active' || status === 'unpaid' || (status === 'cancelled' && paidSince);
}

/** The incarnation that came with a landing; null when another stands there since, or none. */
function incarnationAt(account: SubscriptionView | null, { time }: Landed, plan: Plan): Incarnation | null {
  if (account === null) return null;
  const anchor = anchorOf(account.periodStart, time, plan);
  if (Math.abs(anchor.getTime() - time.getTime()) > REMADE_MS) return null;
  return { generation: account.generation, planCreatedAt: account.planCreatedAt, anchor };
}

/** The grid begins with what a checkout paid for; a comeback pays the period in progress of the grid there was (coming-back#comeback-pays-the-current-period). */
function firstPeriod({ anchor }: Incarnation, previous: SubscriptionChanges | null, { time }: Landed, plan: Plan): Date {
  return previous === null ? anchor : paidPeriod(plan, anchor, time);
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
  { periodStart }: Payment,
  plan: Plan,
): ReasonCode | null {
  if (account === null || found === null || !isIncarnation(account, found, plan))
    return 'subscription_remade';
  const same =
    account.amount === plan.amount &&
    account.periodHours === plan.periodHours &&
    account.planCreatedAt.getTime() === plan.createdOnChainAt?.getTime();
  if (!same) return 'subscription_mismatch';
  const partPaid = account.periodStart.getTime() === periodStart.getTime() && account.pulled < plan.amount;
  return plan.operatorPlan && (account.expiresAt !== null || partPaid) ? 'dev_not_running' : null;
}

/** Records a payment with a subscription that runs, and leaves a charge of it that is under way to its own look-up. */
function payTo(running: SubscriptionChanges, payment: Payment, now: Date): void {
  const { nextTryAt } = running.subscription;
  running.apply({ kind: 'paid', payment }, now);
  if (running.openTransfer !== null && nextTryAt !== null)
    running.apply({ kind: 'poll_scheduled', nextTryAt: nextTryAt }, now);
}

/** What ended meanwhile stays ended (coming-back#ended-stays-ended). */
function supersede(previous: SubscriptionChanges, row: SubscriptionChanges, now: Date): void {
  const { status } = previous.subscription;
  if (status !== 'stopped' && status !== 'cancelled') return;
  previous.apply({ kind: 'superseded' }, now);
  row.join(previous);
}
