import type { ChargeView } from '../ports/index.js';
import type { Plan, Subscription } from '../records/index.js';
import type { EndingReason } from './attempt-reasons.js';
import { endingOfPlan } from './decide.js';
import { isRemadeOnGrid, ownAccount } from './incarnation.js';

/** The state in which the chain shows a subscription whose record had ended. */
export interface Reinstatement {
  /** Why it is over all the same; null when it runs. */
  readonly endReason: EndingReason | null;
  /** When its cancellation takes effect, or took effect; null when it is not cancelled. */
  readonly expiresAt: Date | null;
}

/** Whether a subscription ended because its account was not found. */
export function endedAsGone({ status, endReason }: Subscription): boolean {
  return status === 'ended' && endReason === 'closed_elsewhere';
}

/**
 * What becomes of a subscription that ended as gone, from a read at `finalized`: null unless its very account
 * is on chain (cancel-resume-close#reinstated-after-closed-elsewhere).
 */
export function reinstatement(
  subscription: Subscription,
  plan: Plan,
  view: ChargeView,
): Reinstatement | null {
  const account = ownAccount(view, subscription, plan);
  if (!endedAsGone(subscription) || account === null || subscription.incarnation === null) return null;
  if (isRemadeOnGrid(account, subscription.incarnation)) return null;
  const { expiresAt } = account;
  if (expiresAt !== null && view.time >= expiresAt) return { endReason: 'cancelled', expiresAt };
  if (view.plan === null) return { endReason: 'plan_removed', expiresAt };
  return { endReason: endingOfPlan(account, view.plan, view.time), expiresAt };
}
