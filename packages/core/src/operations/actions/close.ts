import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { ChargeView, SubscriptionView } from '../../ports/index.js';
import type { Project, Subscription } from '../../records/index.js';
import { sameTerms } from '../../rules/decide.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { findSubscription } from '../find-subscription.js';
import { readChargeView } from '../read-charge-view.js';
import { buildAction } from './build-action.js';
import type { ActionConfirmation } from './confirm-action.js';

/**
 * Builds the transaction that closes a subscription after its end, which returns its deposit
 * (cancel-resume-close#how-each-ending-closes).
 */
export async function closeSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<BuildAnswer> {
  return retryOnConflict(service.clock, async () => {
    const context = await findSubscription(service, project, id);
    const { plan, subscription } = context;
    const needsCancelling = mustBeCancelledFirst(subscription);
    if (!needsCancelling) requireClosable(subscription);
    const view = await readChargeView(service, plan, subscription.wallet);
    const account = ownAccount(view, subscription, plan);
    if (account === null) throw new ServiceError('subscription_not_on_chain');
    if (needsCancelling && account.expiresAt === null) throw notCancelled();
    return buildAction(service, context, 'close', {
      ...chargeTarget(plan, subscription.wallet),
      kind: 'close',
      by: closingInstructions(subscription, account, view),
      payer: account.payer,
    });
  });
}

/** How a close is confirmed. */
export const CLOSE: ActionConfirmation = {
  action: 'close',
  notLanded: 'close_not_landed',
  changedMeanwhile: 'subscription_changed',
  isDone: ({ closedAt }) => closedAt !== null,
  requirePossible: requireClosable,
  verdict: (view, { plan, subscription }) =>
    ownAccount(view, subscription, plan) === null ? { kind: 'closed' } : null,
};

/**
 * Whether it stopped and has to be cancelled before it is closed. The wallet may have cancelled it without the
 * service.
 */
function mustBeCancelledFirst({ status, stopReason }: Subscription): boolean {
  return status === 'stopped' && stopReason !== 'authority_closed';
}

function notCancelled(): ServiceError {
  return new ServiceError('subscription_not_cancelled', {
    message: 'The subscription stopped and stays open on chain. Cancel it first.',
  });
}

/** Refuses a subscription that cannot be closed, whatever the chain shows now. */
function requireClosable(subscription: Subscription): void {
  const { status, endReason, built } = subscription;
  switch (status) {
    case 'cancelled':
      return;
    case 'ended':
      if (endReason === 'closed' || endReason === 'closed_elsewhere') {
        throw new ServiceError('subscription_not_on_chain');
      }
      return;
    case 'stopped':
      if (mustBeCancelledFirst(subscription) && built?.action !== 'close') throw notCancelled();
      return;
    case 'pending':
    case 'active':
    case 'unpaid':
    case 'failed':
    case 'expired':
    case 'superseded':
      throw new ServiceError('subscription_not_cancelled');
  }
}

/**
 * Which instructions close the account in its present state (cancel-resume-close#how-each-ending-closes). Throws
 * `close_too_early` while a cancellation runs.
 */
function closingInstructions(subscription: Subscription, account: SubscriptionView, view: ChargeView) {
  const cancelled = account.expiresAt !== null;
  if (cancelled && view.time >= account.expiresAt) return 'revoke' as const;
  const planUnchanged = view.plan !== null && sameTerms(account, view.plan);
  const planRuns = planUnchanged && (view.plan.endsAt === null || view.time <= view.plan.endsAt);
  const authorityClosed = subscription.status === 'stopped' && !mustBeCancelledFirst(subscription);
  if (authorityClosed && planUnchanged && account.payer === subscription.wallet)
    return 'revoke_abandoned' as const;
  if (!cancelled && (authorityClosed || !planRuns)) return 'cancel_and_revoke' as const;
  throw new ServiceError('close_too_early', {
    message: `The subscription runs until ${(account.expiresAt ?? view.time).toISOString()}; it can be closed from then on.`,
  });
}
