import type { ChargeView, SubscriptionView } from '../ports/index.js';
import type { Incarnation, Plan, Subscription } from '../records/index.js';
import { periodMs } from '../records/index.js';

/** Whether an account is the subscription on record: its address is reused, and another may stand there (program#address-reuse-and-incarnations). */
export function isIncarnation(view: SubscriptionView, incarnation: Incarnation, plan: Plan): boolean {
  const sinceAnchor = view.periodStart.getTime() - incarnation.anchor.getTime();
  return (
    view.generation === incarnation.generation &&
    view.planCreatedAt.getTime() === incarnation.planCreatedAt.getTime() &&
    sinceAnchor >= 0 &&
    sinceAnchor % periodMs(plan) === 0
  );
}

/** The subscription's own account, or null when it is gone or another stands in its place. */
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
 * Whether an own account without a cancellation is the one that was cancelled. Paid up, it stands in the period paid last
 * until its expiry: one that is in a later period may have been closed and made again, to the second on the same grid.
 */
export function isResumed(
  account: SubscriptionView,
  { cancellation, paidPeriodStart }: Subscription,
): boolean {
  if (cancellation?.behind === true) return true;
  return paidPeriodStart !== null && account.periodStart <= paidPeriodStart;
}
