import type { ChargeView, SubscriptionView } from '../ports/index.js';
import { type Incarnation, type Plan, type Subscription, periodMs } from '../records/index.js';

/**
 * Whether an account is the subscription on record. Its address is reused, so another one may be there
 * (attempts#same-account-or-another).
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

/** The subscription's own account, or null when it is gone or another one has replaced it. */
export function ownAccount(
  view: ChargeView,
  subscription: Subscription,
  plan: Plan,
): SubscriptionView | null {
  const { incarnation } = subscription;
  if (incarnation === null || view.subscription === null) return null;
  return isIncarnation(view.subscription, incarnation, plan) ? view.subscription : null;
}

/**
 * Whether an account without a cancellation is the one that was cancelled, and so was resumed. A paid-up account
 * stays in the period paid last until its expiry. One in a later period may have been closed and made again in the
 * same second of the grid, so it proves nothing.
 */
export function isResumed(
  account: SubscriptionView,
  { cancellation, paidPeriodStart }: Subscription,
): boolean {
  if (cancellation?.behind === true) return true;
  return paidPeriodStart !== null && account.periodStart <= paidPeriodStart;
}
