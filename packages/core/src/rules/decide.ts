import type { AttemptOutcome } from '../contract/enums.js';
import type { ChargeView, SubscriptionView } from '../ports/index.js';
import { type Incarnation, type Plan, type Subscription, receiverOf } from '../records/index.js';
import type { EndingReason } from './attempt-reasons.js';
import { amountDueAt } from './amount-due.js';
import { chargeable, endShownOnChain, later, nextReadAt, periodFrom } from './billing-periods.js';
import { isIncarnation, isRemadeOnGrid, isResumed } from './incarnation.js';

/** The finding of a read for a charge that is due: why it cannot be made, or that it can. */
type Finding =
  /** `missing`: what the wallet lacks of the amount, where that is the reason. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly missing?: bigint }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'send'; readonly receiverAccount: string };

/** How soon the chain is read again when its clock is behind an instant that the service's clock has. */
const SHORTEST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 60_000;

/** Whole periods that passed without a charge. */
interface Missed {
  readonly since: Date;
  readonly until: Date;
}

/** A wait until the chain's clock shows an instant. */
export interface Wait {
  readonly until: Date;
  /** The pause if the service's clock is past it (billing-periods#waiting-for-the-chain-clock). */
  readonly lookAgainMs: number;
}

/** Changes on chain that the record does not have, whether or not a try is due. */
type FoundOnChain =
  /**
   * The plan or the subscription reads as gone, until a read at `finalized` (attempts#gone-needs-two-reads).
   */
  | { readonly kind: 'gone' }
  | { readonly kind: 'ended'; readonly reason: EndingReason; readonly cancelledUntil: Date | null }
  /** Cancelled on chain and still running there. */
  | { readonly kind: 'cancelled'; readonly expiresAt: Date; readonly wait: Wait }
  /** A cancellation on record that the chain no longer shows. */
  | { readonly kind: 'resumed' };

/** The decision of a read without a due try (plans#daily-read-of-subscriptions). */
export type CheckDecision =
  | FoundOnChain
  /** The subscription runs on chain as the record says. */
  | { readonly kind: 'unchanged'; readonly wait: Wait | null };

/** The decision of one read of the chain for a due try (attempts#first-finding-decides). */
export type Decision =
  | FoundOnChain
  /** The chain's clock has not reached the boundary yet (billing-periods#chain-clock-decides-due). */
  | { readonly kind: 'not_due'; readonly wait: Wait }
  /** No terms were signed, so nothing is ever charged (attempts#charges-need-signed-terms). */
  | { readonly kind: 'terms_missing' }
  | { readonly kind: 'already_paid'; readonly periodStart: Date; readonly missed: Missed | null }
  /** The seat is parked: the chain is only read for an end (seats-and-tiers#no-charge-while-parked). */
  | { readonly kind: 'parked'; readonly wait: Wait }
  /** The plan's last two minutes, without charges (retries#last-two-minutes-of-a-plan). */
  | { readonly kind: 'ending'; readonly wait: Wait }
  /** The deadline of manual retries has passed by the chain's clock (retries#retry-deadline-on-free). */
  | { readonly kind: 'retry_deadline_passed' }
  | {
      readonly kind: 'charge';
      readonly periodStart: Date;
      readonly amount: bigint;
      /**
       * Whole periods that passed without a charge and are not recorded as missed yet
       * (billing-periods#missed-periods).
       */
      readonly missed: Missed | null;
      readonly finding: Finding;
      /** Why the wallet could not pay, also while something else prevents the charge; null when it could. */
      readonly walletCannotPay: string | null;
    };

/**
 * Decides from one read of the chain what a due try does. The first row of attempts#first-finding-decides
 * that matches wins.
 * @param goneBefore whether this is the second read, at `finalized`, after a first one showed the plan or the
 *   subscription as gone
 * @param remade whether the account's history shows that it was closed and made again; null when it was not
 *   asked
 */
export function decide(
  subscription: Subscription,
  plan: Plan,
  view: ChargeView,
  charger: string,
  goneBefore: boolean,
  remade: boolean | null = null,
): Decision {
  const { incarnation, paidPeriodEnd } = subscription;
  // A cancelled or parked subscription is not tried, whatever its terms (attempts#one-attempt-per-try).
  const isTried = subscription.status !== 'cancelled' && subscription.pausedAt === null;
  if ((isTried && !subscription.termsSigned) || incarnation === null || paidPeriodEnd === null)
    return { kind: 'terms_missing' };

  const waitUntil = (until: Date): Wait => waitOf(until, view.time);
  const over = endOrCancellation(subscription, incarnation, plan, view, goneBefore, remade);
  if (over !== null) return over;
  const { subscription: onChain, plan: planOnChain } = view;
  if (onChain === null || planOnChain === null) return { kind: 'gone' };

  const due = amountDueAt(onChain, planOnChain.endsAt, view.time);
  if (view.time < paidPeriodEnd) return { kind: 'not_due', wait: waitUntil(nextReadAt(paidPeriodEnd, plan)) };
  if (subscription.pausedAt !== null) {
    const boundary = periodFrom(due.periodStart, plan).end;
    return { kind: 'parked', wait: waitUntil(nextReadAt(boundary, plan)) };
  }
  if (plan.endsAt !== null && !chargeable(view.time, plan))
    return { kind: 'ending', wait: waitUntil(endShownOnChain(plan.endsAt)) };
  const { late } = subscription;
  if (late !== null && late.automatic === null && late.queuedAt === null) {
    const until = late.deadline ?? periodFrom(late.periodStart, plan).end;
    if (view.time < until) return { kind: 'not_due', wait: waitUntil(until) };
    if (late.deadline !== null) return { kind: 'retry_deadline_passed' };
  }
  const missed = missedPeriods(later(paidPeriodEnd, subscription.missedUntil), due.periodStart);
  const setup = setupFinding(plan, view, charger);
  if (setup === null && due.amount === 0n)
    return { kind: 'already_paid', periodStart: due.periodStart, missed };
  const wallet = walletFinding(subscription.wallet, view, onChain, due.amount);
  return {
    kind: 'charge',
    ...due,
    // A long block is one run of missed periods, recorded once the block is over.
    missed: setup === null ? missed : null,
    finding: setup ?? wallet ?? sendFinding(view),
    walletCannotPay: wallet?.reason ?? null,
  };
}

/** Why a charge of the whole price would be rejected now; null when the wallet could pay it. */
export function whyPriceRejected(wallet: string, plan: Plan, view: ChargeView) {
  return view.subscription === null ? null : walletFinding(wallet, view, view.subscription, plan.amount);
}

/** Why the next charge would not pay, as its attempt would say, and the amount that it would be for. */
export interface NextFailure {
  readonly outcome: Exclude<AttemptOutcome, 'paid'>;
  readonly reason: string;
  readonly amount: bigint;
}

/**
 * Why the charge that is tried at a date would fail if the chain stayed as it was read; null when it would
 * pay, or nothing would be tried. It is the decision of that date (payments#who-cannot-pay).
 */
export function whyNextFails(
  subscription: Subscription,
  plan: Plan,
  view: ChargeView,
  charger: string,
  triedAt: Date,
): NextFailure | null {
  const time = later(later(view.time, triedAt), subscription.paidPeriodEnd);
  const decision = decide(subscription, plan, { ...view, time }, charger, true);
  const { amount } = plan;
  if (decision.kind === 'ended') return { outcome: 'skipped', reason: decision.reason, amount };
  if (decision.kind === 'cancelled') return { outcome: 'skipped', reason: 'cancelled', amount };
  if (decision.kind !== 'charge' || decision.finding.kind === 'send') return null;
  const { kind: outcome, reason } = decision.finding;
  return { outcome, reason, amount: decision.amount };
}

/**
 * Decides from one read of the chain that was made although nothing is due: nothing is charged, whatever it
 * shows (plans#daily-read-of-subscriptions).
 * @param goneBefore as in `decide`
 * @param remade as in `decide`
 */
export function decideCheck(
  subscription: Subscription,
  plan: Plan,
  view: ChargeView,
  goneBefore: boolean,
  remade: boolean | null = null,
): CheckDecision {
  const { incarnation } = subscription;
  const over =
    incarnation === null
      ? null
      : endOrCancellation(subscription, incarnation, plan, view, goneBefore, remade);
  const end = view.plan?.endsAt ?? null;
  return over ?? { kind: 'unchanged', wait: end === null ? null : waitOf(endShownOnChain(end), view.time) };
}

/** The end, the cancellation or the resume that a read shows; null when chain and record agree. */
function endOrCancellation(
  subscription: Subscription,
  incarnation: Incarnation,
  plan: Plan,
  view: ChargeView,
  goneBefore: boolean,
  remade: boolean | null,
): FoundOnChain | null {
  const ended = (reason: EndingReason): FoundOnChain => ({ kind: 'ended', reason, cancelledUntil: null });
  const onChain = view.subscription;
  if (onChain === null) return goneBefore ? ended('closed_elsewhere') : { kind: 'gone' };
  const replaced = subscription.status !== 'cancelled' && (remade ?? isRemadeOnGrid(onChain, incarnation));
  if (replaced || !isIncarnation(onChain, incarnation, plan)) return ended('closed_elsewhere');
  if (view.plan === null) return goneBefore ? ended('plan_removed') : { kind: 'gone' };
  const planEnding = endingOfPlan(onChain, view.plan, view.time);
  if (planEnding !== null) return ended(planEnding);
  if (onChain.expiresAt !== null) {
    return view.time >= onChain.expiresAt
      ? { kind: 'ended', reason: 'cancelled', cancelledUntil: onChain.expiresAt }
      : { kind: 'cancelled', expiresAt: onChain.expiresAt, wait: waitOf(onChain.expiresAt, view.time) };
  }
  if (subscription.status !== 'cancelled') return null;
  return isResumed(onChain, subscription, remade)
    ? { kind: 'resumed' }
    : { kind: 'ended', reason: 'cancelled', cancelledUntil: subscription.cancellation?.expiresAt ?? null };
}

function waitOf(until: Date, chainTime: Date): Wait {
  const ms = until.getTime() - chainTime.getTime();
  return { until, lookAgainMs: Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, ms)) };
}

function missedPeriods(since: Date, until: Date): Missed | null {
  return since < until ? { since, until } : null;
}

/** Whether the plan on chain is the one the subscription was made for (attempts#plan-terms-that-differ). */
export function sameTerms(view: SubscriptionView, plan: NonNullable<ChargeView['plan']>): boolean {
  return (
    plan.createdAt.getTime() === view.planCreatedAt.getTime() &&
    plan.amount === view.amount &&
    plan.periodHours === view.periodHours
  );
}

/** Why a plan that is on chain ends a subscription at an instant; null when it does not. */
export function endingOfPlan(
  account: SubscriptionView,
  plan: NonNullable<ChargeView['plan']>,
  at: Date,
): EndingReason | null {
  if (!sameTerms(account, plan)) return 'plan_replaced';
  return plan.endsAt !== null && at > plan.endsAt ? 'plan_ended' : null;
}

/** Why the plan's owner or the token's issuer prevents a charge; null when neither does. */
function setupFinding(plan: Plan, view: ChargeView, charger: string): Finding | null {
  const blocked = (reason: string): Finding => ({ kind: 'blocked', reason });
  if (view.plan !== null && view.plan.owner !== charger && !view.plan.pullers.includes(charger)) {
    return blocked('puller_not_allowed');
  }
  if (view.mint === null) return blocked('mint_gone');
  if (view.mint.paused) return blocked('mint_paused');
  if (view.mint.hookProgram !== null) return blocked('mint_transfer_hook');
  const destinations = view.plan?.destinations ?? [];
  const receiver = view.receiver;
  if (destinations.length > 0 && !destinations.includes(receiver?.owner ?? receiverOf(plan))) {
    return blocked('receiver_not_allowed');
  }
  const unpayable = whyUnpayable(receiver);
  return unpayable === null ? null : blocked(unpayable);
}

/** Why a receiver cannot be paid; null when it can. */
export function whyUnpayable(receiver: ChargeView['receiver']) {
  if (receiver === null) return 'receiver_account_missing';
  if (receiver.frozen) return 'receiver_account_frozen';
  if (receiver.needsMemo) return 'receiver_account_needs_memo';
  return receiver.confidentialOnly ? 'receiver_account_confidential_only' : null;
}

/** Why the customer's wallet cannot pay; null when it can. */
function walletFinding(
  owner: string,
  view: ChargeView,
  onChain: SubscriptionView,
  amount: bigint,
): Extract<Finding, { kind: 'rejected' }> | null {
  const rejected = (reason: string) => ({ kind: 'rejected', reason }) as const;
  const { authority, source } = view;
  const insufficient = source === null || source.balance < amount;
  if (authority.generation !== onChain.generation) {
    if (insufficient) return rejected('authority_closed');
    return rejected(authority.generation === null ? 'program_103' : 'program_136');
  }
  if (insufficient) return { ...rejected('insufficient_balance'), missing: amount - (source?.balance ?? 0n) };
  if (source.owner !== owner) return rejected('token_account_reassigned');
  if (source.frozen) return rejected('token_account_frozen');
  if (source.delegate !== authority.address) return rejected('program_4');
  if (source.delegatedAmount < amount) return rejected('program_1');
  return null;
}

function sendFinding(view: ChargeView): Finding {
  return view.receiver === null
    ? { kind: 'blocked', reason: 'receiver_account_missing' }
    : { kind: 'send', receiverAccount: view.receiver.address };
}
