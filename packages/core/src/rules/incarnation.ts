import type { ChargeView, SubscriptionView } from '../ports/index.js';
import { type Incarnation, type Plan, type Subscription, periodMs } from '../records/index.js';

/**
 * Whether the account at a subscription's address is the subscription on record, and not a later one at the
 * same address (attempts#same-account-or-another).
 */
export function isIncarnation(view: SubscriptionView, incarnation: Incarnation, plan: Plan): boolean {
  const sinceAnchor = view.periodStart.getTime() - incarnation.anchor.getTime();
  return (
    view.generation === incarnation.generation &&
    view.planCreatedAt.getTime() === incarnation.planCreatedAt.getTime() &&
    sinceAnchor >= 0 &&
    sinceAnchor % periodMs(plan) === 0
  );
}

/**
 * Detects an account that was closed and recreated at an exact multiple of its period. Only a payment moves
 * an account into a later period, so an account in a later period without one began there
 * (attempts#account-remade-on-the-same-grid).
 */
export function isRemadeOnGrid(view: SubscriptionView, { anchor }: Incarnation): boolean {
  return view.periodStart > anchor && view.pulled === 0n;
}

/** The subscription's own account, or null when it is gone or another one has replaced it. */
export function ownAccount(
  view: Pick<ChargeView, 'subscription'>,
  subscription: Subscription,
  plan: Plan,
): SubscriptionView | null {
  const { incarnation } = subscription;
  if (incarnation === null || view.subscription === null) return null;
  return isIncarnation(view.subscription, incarnation, plan) ? view.subscription : null;
}

/**
 * Whether an account without a cancellation is the cancelled one, so that the cancellation was undone. An
 * account that was cancelled while paid up stays in the period paid last until its expiry. An account in a
 * later period may be another one: its history decides, and without it the answer is no.
 * @param remade whether its history shows that it was made again; null when it was not asked
 */
export function isResumed(
  account: SubscriptionView,
  { cancellation, incarnation, paidPeriodStart }: Subscription,
  remade: boolean | null,
): boolean {
  if (remade !== null) return !remade;
  if (cancellation?.behind === true) return incarnation !== null && !isRemadeOnGrid(account, incarnation);
  return paidPeriodStart !== null && account.periodStart <= paidPeriodStart;
}
