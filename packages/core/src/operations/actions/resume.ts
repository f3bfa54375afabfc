import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { BuildRequest, ChargeView } from '../../ports/index.js';
import type { Project, Subscription } from '../../records/index.js';
import { sameTerms } from '../../rules/decide.js';
import { isResumed, ownAccount } from '../../rules/incarnation.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { isUnexplained } from '../../settlement/find-by-account.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { requireOnlyOne } from '../checkout/one-per-customer.js';
import { readChargeView } from '../read-chain.js';
import { requireSubscription } from '../require.js';
import { buildAction } from './build-action.js';
import type { ActionConfirmation } from './confirm-action.js';

/** Builds the transaction that undoes a cancellation (cancel-resume-close#when-resume-is-possible). */
export async function resumeSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<BuildAnswer> {
  return retryOnConflict(service.clock, async () => {
    const context = await requireSubscription(service, project, id);
    const { plan, subscription } = context;
    await requireResumable(service, context);
    const view = await readChargeView(service, plan, subscription.wallet);
    return buildAction(service, context, 'resume', resumeRequest(context, view));
  });
}

/** The request that resumes a subscription, as the chain shows it. Throws the code of an obstacle. */
export function resumeRequest(
  { plan, subscription }: Pick<SubscriptionContext, 'plan' | 'subscription'>,
  view: ChargeView,
): BuildRequest {
  const account = ownAccount(view, subscription, plan);
  if (account === null) throw new ServiceError('subscription_not_on_chain');
  if (view.plan === null) throw new ServiceError('plan_removed');
  if (!sameTerms(account, view.plan)) throw new ServiceError('plan_replaced');
  if (account.expiresAt === null) throw new ServiceError('subscription_not_cancelled');
  const ended = view.time >= account.expiresAt || (view.plan.endsAt !== null && view.time > view.plan.endsAt);
  if (ended || view.authority.generation !== account.generation) throw new ServiceError('subscription_ended');
  return { ...chargeTarget(plan, subscription.wallet), kind: 'resume', expiresAt: account.expiresAt };
}

export const RESUME: ActionConfirmation = {
  action: 'resume',
  notLanded: 'resume_not_landed',
  changedMeanwhile: 'subscription_not_cancelled',
  isDone: (subscription) => isCharged(subscription.status) && subscription.built?.action === 'resume',
  requirePossible(subscription) {
    // No cancellation is left to undo.
    if (isCharged(subscription.status)) throw new ServiceError('nothing_to_confirm');
    requireCancelled(subscription);
  },
  needsHistory: (view, { plan, subscription }) => isUnexplained(subscription, plan, view),
  verdict(view, { plan, subscription }, remade) {
    if (view.subscription === null) return 'subscription_not_on_chain';
    const account = ownAccount(view, subscription, plan);
    if (account === null) return 'cancelled_subscription_remade';
    if (account.expiresAt !== null) return null;
    if (remade === true) return 'cancelled_subscription_remade';
    return isResumed(account, subscription, remade) ? { kind: 'resumed' } : 'resume_unverified';
  },
};

/** Refuses a subscription that cannot be resumed, whatever the chain shows. */
export async function requireResumable(
  service: Service,
  { plan, subscription }: Pick<SubscriptionContext, 'plan' | 'subscription'>,
): Promise<void> {
  requireCancelled(subscription);
  if (subscription.cancellation?.behind === true) throw new ServiceError('subscription_ended');
  await requireOnlyOne(service, plan, subscription);
}

function requireCancelled({ status, endReason }: Subscription): void {
  if (status === 'ended' && endReason === 'cancelled') throw new ServiceError('subscription_ended');
  if (status !== 'cancelled') throw new ServiceError('subscription_not_cancelled');
}
