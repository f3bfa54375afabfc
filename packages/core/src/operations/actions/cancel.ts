import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Project, Subscription } from '../../records/index.js';
import { isReplacedUncancelled } from '../../rules/access.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import type { Transition } from '../../transitions/transition.js';
import { requireAnswer, tryReadChargeView } from '../read-chain.js';
import { requireNotHeld, requireSubscription } from '../require.js';
import { buildAction } from './build-action.js';
import { type ActionConfirmation, readVerdict, settle } from './confirm-action.js';
import { RESUME } from './resume.js';

/**
 * Builds the cancellation of a running or stopped subscription (cancel-resume-close#what-can-be-cancelled),
 * of a cancelled one whose account shows none (cancel-resume-close#cancelling-again), or of one that a change
 * of plan ended while it ran on chain (plan-changes#resumed-before-it-was-read).
 */
export async function cancelSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<BuildAnswer> {
  return retryOnConflict(service.clock, async () => {
    let context = await requireSubscription(service, project, id);
    const { plan, subscription } = context;
    requireCancellable(subscription);
    const read = await tryReadChargeView(service, plan, subscription.wallet);
    const account = read.ok ? ownAccount(read.value, subscription, plan) : null;
    // Only a read that shows no cancellation lets a cancelled subscription be cancelled again.
    if (subscription.status === 'cancelled' && account?.expiresAt !== null)
      throw new ServiceError('subscription_cancelled');
    const view = requireAnswer(read);
    if (account === null) throw new ServiceError('subscription_not_on_chain');
    if (account.expiresAt !== null) {
      // The wallet cancelled without the service (cancel-resume-close#cancelled-on-chain-already).
      if ((await settle(service, context, cancelledAt(account.expiresAt))) === 'lost') return 'lost';
      throw new ServiceError('subscription_cancelled');
    }
    if (subscription.status === 'cancelled') {
      const settlement = await settleResume(service, context, view);
      if (settlement === 'lost') return 'lost';
      if (settlement === 'settled') context = await requireSubscription(service, project, id);
    }
    return buildAction(service, context, 'cancel', {
      ...chargeTarget(plan, subscription.wallet),
      kind: 'cancel',
    });
  });
}

/**
 * Settles the resume of a cancelled subscription that runs on chain, so the new cancellation counts as one. A
 * resume without proof is left alone (cancel-resume-close#cancelling-again).
 */
async function settleResume(service: Service, context: SubscriptionContext, view: ChargeView) {
  const verdict = await readVerdict(service, RESUME, view, context);
  const isResume = verdict !== null && typeof verdict !== 'string';
  return isResume ? settle(service, context, verdict) : 'waiting';
}

export const CANCEL: ActionConfirmation = {
  action: 'cancel',
  notLanded: 'cancellation_not_landed',
  changedMeanwhile: 'subscription_changed',
  isDone: ({ status, endReason, cancellation, built }) =>
    (status === 'cancelled' || (endReason === 'plan_changed' && cancellation !== null)) &&
    built?.action !== 'cancel',
  requirePossible: requireCancellable,
  verdict(view, { plan, subscription }) {
    const account = ownAccount(view, subscription, plan);
    if (account === null) return 'subscription_not_on_chain';
    return account.expiresAt === null ? null : cancelledAt(account.expiresAt);
  },
};

function cancelledAt(expiresAt: Date): Transition {
  return { kind: 'cancelled', expiresAt, nextTryAt: expiresAt };
}

/** Refuses a subscription that cannot be cancelled, whatever the chain shows. */
function requireCancellable(subscription: Subscription): void {
  const { status } = subscription;
  requireNotHeld(subscription);
  if (isReplacedUncancelled(subscription)) return;
  if (status !== 'active' && status !== 'unpaid' && status !== 'stopped' && status !== 'cancelled')
    throw new ServiceError('subscription_not_active');
}
