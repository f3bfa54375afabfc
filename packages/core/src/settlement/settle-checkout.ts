import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ReasonCode } from '../contract/confirmation.js';
import type { ChainResult, ChargeView, SubscriptionView, TransactionOutcome } from '../ports/index.js';
import { type Incarnation, type Plan, type Subscription, type Transfer, periodMs } from '../records/index.js';
import { periodPaidAt } from '../rules/billing-periods.js';
import { namedCustomer } from '../rules/customer.js';
import { isIncarnation, ownAccount } from '../rules/incarnation.js';
import { isCharged, isRunning } from '../rules/running.js';
import type { Payment } from '../transitions/transition.js';
import { BLOCK_TIME_MS } from './find-by-account.js';
import { nextPollAt } from './poll-schedule.js';
import type { LandedCheckout } from './read-landed-checkouts.js';
import type { LandedOutcome } from './read-outcomes.js';
import { countNotFound, withLamports } from './settle-charge.js';

/** A transfer of a checkout, and what became of it. */
export interface ResolvedCheckout {
  readonly transfer: Transfer;
  readonly outcome: TransactionOutcome;
  /** The transfer of the same transaction under a signature that did not land; null when there is none. */
  readonly replaces: Transfer | null;
  /** The subscription that the transaction cancels for a change of plan; null without one. */
  readonly replaced: SubscriptionChanges | null;
}

/**
 * Settles a pending subscription by the outcome of its transaction. A waiting submit and the worker both call
 * it, and the first commit wins.
 * @param landed the accounts, read after the transaction landed; null when it did not land
 */
export function settleCheckout(
  changes: SubscriptionChanges,
  { transfer, outcome, replaces, replaced }: ResolvedCheckout,
  landed: LandedCheckout | null,
  now: Date,
): void {
  switch (outcome.kind) {
    case 'landed':
      if (landed === null || hasOpenCharge(replaced) || !showsLanding(landed, outcome)) {
        changes.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
      } else {
        const payment = { transfer, outcome, replaces, replaced };
        if (replaced !== null) keepCustomer(changes, replaced.subscription, now);
        settleLandedCheckout(changes, payment, landed.view.value, landed, now);
        if (replaced !== null && landed.viewOfReplaced !== null)
          settleReplaced(changes, replaced, landed.viewOfReplaced.value, now);
      }
      return;
    case 'failed':
    case 'undone':
      settleUnpaid(
        changes,
        { ...withLamports(transfer, outcome), state: 'failed', reasonCode: 'transaction_failed' },
        replaced,
        now,
      );
      return;
    case 'not_found': {
      const lostTransfer = countNotFound(changes, transfer, now);
      if (lostTransfer !== null)
        settleUnpaid(changes, { ...lostTransfer, reasonCode: 'transaction_expired' }, replaced, now);
      return;
    }
    case 'waiting':
    case 'unknown':
      changes.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
  }
}

/**
 * Whether a charge of the subscription that a change replaces may still land: its end would lose the payment
 * (plan-changes#ended-before-it-was-replaced).
 */
export function hasOpenCharge(replaced: SubscriptionChanges | null): boolean {
  return replaced !== null && replaced.openTransfer !== null;
}

type Answered = Extract<ChainResult<ChargeView>, { ok: true }>;

/**
 * Whether the reads show the chain at the slot of a landing or later. A node before it does not show the
 * account that the transaction created.
 */
export function showsLanding(
  landed: LandedCheckout,
  { slot }: LandedOutcome,
): landed is LandedCheckout & { readonly view: Answered; readonly viewOfReplaced: Answered | null } {
  const isAsOf = (read: ChainResult<ChargeView>) => read.ok && read.value.slot >= slot;
  return isAsOf(landed.view) && (landed.viewOfReplaced === null || isAsOf(landed.viewOfReplaced));
}

/** Records that a checkout's transaction paid nothing, so that the wallet can sign another one. */
function settleUnpaid(
  changes: SubscriptionChanges,
  transfer: Transfer,
  replaced: SubscriptionChanges | null,
  now: Date,
): void {
  changes.putTransfer({ ...transfer, resolvedAt: now });
  changes.apply({ kind: 'checkout_unpaid' }, now);
  if (replaced !== null) free(changes, replaced, now);
}

/**
 * Gives a change of plan the customer of the subscription that it replaces. Its own record is older, and has
 * none in a session without a named customer (plan-changes#customer-of-a-change).
 */
export function keepCustomer(changes: SubscriptionChanges, replaced: Subscription, now: Date): void {
  changes.apply({ kind: 'customer_kept', customer: namedCustomer(replaced) }, now);
}

/** Frees the subscription that a change did not replace (plan-changes#change-that-did-not-land). */
function free(changes: SubscriptionChanges, replaced: SubscriptionChanges, now: Date): void {
  if (replaced.subscription.replacedById !== changes.subscription.id) return;
  replaced.apply({ kind: 'change_submitted', replacedById: null }, now);
  changes.alsoCommit(replaced);
}

/**
 * Ends the subscription that a landed change replaces, in the commit that makes the new one active. When the
 * new one failed, the old one is freed, and goes on as the chain shows it
 * (plan-changes#landed-on-another-account).
 */
function settleReplaced(
  changes: SubscriptionChanges,
  replaced: SubscriptionChanges,
  view: ChargeView,
  now: Date,
): void {
  const { subscription, plan } = replaced;
  if (changes.subscription.status === 'failed') return free(changes, replaced, now);
  if (!isRunning(subscription.status)) return;
  const expiresAt = ownAccount(view, subscription, plan)?.expiresAt ?? null;
  replaced.apply({ kind: 'replaced', replacedById: changes.subscription.id, expiresAt }, now);
  changes.alsoCommit(replaced);
}

/**
 * Settles a checkout whose transaction landed. A comeback supersedes the subscription that it replaces in the
 * same commit. With an unexpected account on chain, the checkout fails and its payment is recorded.
 */
function settleLandedCheckout(
  changes: SubscriptionChanges,
  { transfer, outcome, replaces }: ResolvedCheckout & { readonly outcome: LandedOutcome },
  view: ChargeView,
  { paidBefore, remade }: LandedCheckout,
  now: Date,
): void {
  const { plan } = changes;
  const previous = transfer.kind === 'comeback' ? replacedSubscription(paidBefore, outcome) : null;
  const ownIncarnation = remade ? null : incarnationAt(view.subscription, outcome, plan);
  const incarnation = previous?.subscription.incarnation ?? ownIncarnation;
  const payment: Payment = {
    amount: transfer.amount,
    received: outcome.received,
    periodStart: incarnation === null ? outcome.time : firstPeriod(incarnation, previous, outcome, plan),
    signature: transfer.signature,
  };
  const { periodStart } = payment;
  const resolveTransfer = (reasonCode: ReasonCode | null) => {
    if (replaces !== null) changes.putTransfer({ ...notLanded(replaces, now), reasonCode });
    const landed = withLamports(transfer, outcome);
    changes.putTransfer({ ...landed, state: 'landed', periodStart, reasonCode, resolvedAt: now });
  };

  if (previous !== null && runsAgain(previous.subscription, payment)) {
    resolveTransfer('earlier_subscription_running');
    changes.apply({ kind: 'checkout_failed', payment: null }, now);
    recordPaymentOf(previous, payment, now);
    changes.alsoCommit(previous);
    return;
  }
  const reasonCode = mismatchReason(remade ? null : view.subscription, incarnation, payment, plan);
  resolveTransfer(reasonCode);
  if (incarnation === null || view.subscription === null || reasonCode !== null) {
    changes.apply({ kind: 'checkout_failed', payment }, now);
    return;
  }
  changes.apply(
    {
      kind: 'first_payment',
      payment,
      incarnation,
      landedAt: outcome.time,
      previousId: previous?.subscription.id ?? null,
      expiresAt: view.subscription.expiresAt,
    },
    now,
  );
  if (previous !== null) supersede(previous, changes, now);
}

/** A transfer whose transaction landed under another signature. */
function notLanded(transfer: Transfer, now: Date): Transfer {
  return transfer.state === 'open' ? { ...transfer, state: 'lost', resolvedAt: now } : transfer;
}

/** The subscription that a comeback replaces: the newest of those that were confirmed before it landed. */
function replacedSubscription(
  paidBefore: readonly SubscriptionChanges[],
  { time }: LandedOutcome,
): SubscriptionChanges | null {
  return (
    paidBefore.find(({ subscription: { confirmedAt } }) => confirmedAt !== null && confirmedAt < time) ?? null
  );
}

/**
 * Whether the subscription that a comeback replaces runs again, or was paid since, because the wallet undid
 * its cancellation on chain (coming-back#earlier-subscription-runs-again).
 */
function runsAgain({ status, paidPeriodStart }: Subscription, { periodStart }: Payment): boolean {
  const paidSince = paidPeriodStart !== null && paidPeriodStart >= periodStart;
  return isCharged(status) || (status === 'cancelled' && paidSince);
}

/** The incarnation that a landing created; null when the address has another account or none. */
function incarnationAt(
  account: SubscriptionView | null,
  { time }: LandedOutcome,
  plan: Plan,
): Incarnation | null {
  if (account === null) return null;
  const anchor = anchorOf(account.periodStart, time, plan);
  if (Math.abs(anchor.getTime() - time.getTime()) > BLOCK_TIME_MS) return null;
  return { generation: account.generation, planCreatedAt: account.planCreatedAt, anchor };
}

/**
 * The anchor of the billing grid: the start of the period on the account, less the whole periods that were
 * paid between the landing and this read.
 */
function anchorOf(periodStart: Date, landedAt: Date, plan: Plan): Date {
  const length = periodMs(plan);
  const periods = Math.round((periodStart.getTime() - landedAt.getTime()) / length);
  return new Date(periodStart.getTime() - periods * length);
}

/**
 * The period that the checkout paid: the first of a new grid, or the one in progress of a comeback's grid.
 */
function firstPeriod(
  { anchor }: Incarnation,
  previous: SubscriptionChanges | null,
  { time }: LandedOutcome,
  plan: Plan,
): Date {
  return previous === null ? anchor : periodPaidAt(plan, anchor, time);
}

/** Why the account on chain is not the one that the checkout expects, or null when it is. */
function mismatchReason(
  account: SubscriptionView | null,
  incarnation: Incarnation | null,
  { periodStart }: Payment,
  plan: Plan,
): ReasonCode | null {
  if (account === null || incarnation === null || !isIncarnation(account, incarnation, plan))
    return 'subscription_remade';
  const sameTerms =
    account.amount === plan.amount &&
    account.periodHours === plan.periodHours &&
    account.planCreatedAt.getTime() === plan.createdOnChainAt?.getTime();
  if (!sameTerms) return 'subscription_mismatch';
  const partPaid = account.periodStart.getTime() === periodStart.getTime() && account.pulled < plan.amount;
  return plan.operatorPlan && (account.expiresAt !== null || partPaid) ? 'dev_not_running' : null;
}

/** Records a payment of a subscription that runs again. Its open charge keeps the date of its look-up. */
function recordPaymentOf(running: SubscriptionChanges, payment: Payment, now: Date): void {
  const { nextTryAt } = running.subscription;
  running.apply({ kind: 'paid', payment }, now);
  if (running.openTransfer !== null && nextTryAt !== null) {
    running.apply({ kind: 'poll_scheduled', nextTryAt }, now);
  }
}

/** Supersedes the subscription of a comeback, unless it ended meanwhile (coming-back#ended-stays-ended). */
function supersede(previous: SubscriptionChanges, comeback: SubscriptionChanges, now: Date): void {
  const { status } = previous.subscription;
  if (status !== 'stopped' && status !== 'cancelled') return;
  previous.apply({ kind: 'superseded' }, now);
  comeback.alsoCommit(previous);
}
