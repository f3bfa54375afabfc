import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import type { SubscriptionStatus } from '../../contract/enums.js';
import { ServiceError } from '../../contract/errors.js';
import type { BuildRequest, ChargeView, SubscriptionView } from '../../ports/index.js';
import type { Plan, Project, Subscription } from '../../records/index.js';
import { sameTerms } from '../../rules/decide.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { readChargeView } from '../read-chain.js';
import { requireSubscription } from '../require.js';
import { buildAction } from './build-action.js';
import type { ActionConfirmation } from './confirm-action.js';

/**
 * Builds the transaction that closes a subscription and returns its deposit
 * (cancel-resume-close#how-each-ending-closes).
 */
export async function closeSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<BuildAnswer> {
  return retryOnConflict(service.clock, async () => {
    const context = await requireSubscription(service, project, id);
    const { plan, subscription } = context;
    requireClosable(subscription);
    const view = await readChargeView(service, plan, subscription.wallet);
    const account = await accountToClose(service, context, view);
    return buildAction(service, context, 'close', closeRequest(context, account, view));
  });
}

/** The request that closes an account, as the chain shows it. Throws the code of an obstacle. */
export function closeRequest(
  { plan, subscription }: Pick<SubscriptionContext, 'plan' | 'subscription'>,
  account: SubscriptionView | null,
  view: ChargeView,
): BuildRequest {
  if (account === null) throw new ServiceError('subscription_not_on_chain');
  return {
    ...chargeTarget(plan, subscription.wallet),
    kind: 'close',
    by: closingInstructions(subscription, account, view),
    payer: account.payer,
  };
}

export const CLOSE: ActionConfirmation = {
  action: 'close',
  notLanded: 'close_not_landed',
  changedMeanwhile: 'subscription_changed',
  isDone: ({ closedAt, built }) => closedAt !== null && built?.action !== 'close',
  requirePossible(subscription) {
    requireClosable(subscription);
    if (mayStillRun(subscription) && subscription.built?.action !== 'close') throw notCancelled(subscription);
  },
  verdict: (view, { plan, subscription }) => (isClosed(view, subscription, plan) ? { kind: 'closed' } : null),
};

const CLOSABLE: readonly SubscriptionStatus[] = ['cancelled', 'stopped', 'failed', 'ended'];

/** Refuses a subscription that cannot be closed, whatever the chain shows. */
export function requireClosable(subscription: Subscription): void {
  const { status, endReason } = subscription;
  if (!CLOSABLE.includes(status)) throw new ServiceError('subscription_not_cancelled');
  if (status === 'ended' && (endReason === 'closed' || endReason === 'closed_elsewhere'))
    throw new ServiceError('subscription_not_on_chain');
}

/**
 * Whether the account may run on chain without a cancellation, by the record: it stopped, or its checkout
 * failed. A built close shows that the wallet cancelled without the service.
 */
function mayStillRun(subscription: Subscription): boolean {
  return subscription.status === 'failed' || isStoppedWithAuthority(subscription);
}

/** Whether a stopped subscription can still be charged on chain, so a close needs a cancellation first. */
function isStoppedWithAuthority({ status, stopReason }: Subscription): boolean {
  return status === 'stopped' && stopReason !== 'authority_closed';
}

function notCancelled({ status }: Subscription): ServiceError {
  const message =
    HOW_TO_CANCEL[status] ??
    'The account on chain shows no cancellation. Cancel the subscription again first.';
  return new ServiceError('subscription_not_cancelled', { message });
}

const HOW_TO_CANCEL: Readonly<Partial<Record<SubscriptionStatus, string>>> = {
  stopped: 'The subscription stopped and stays open on chain. Cancel it first.',
  failed:
    'The checkout failed, and an account of the wallet runs in its place. The wallet has to cancel it on chain first.',
  ended:
    'The subscription ended, and its account runs on chain without a cancellation. The wallet has to cancel it on chain first.',
};

/**
 * The subscription's own account. A failed checkout has none on record: then the account at its address
 * counts, unless it is another subscription's (cancel-resume-close#closing-a-failed-checkout).
 */
async function accountToClose(
  service: Service,
  { plan, subscription }: SubscriptionContext,
  view: ChargeView,
): Promise<SubscriptionView | null> {
  if (subscription.status !== 'failed') return ownAccount(view, subscription, plan);
  const all = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
  const owned = all.some((one) => one.closedAt === null && ownAccount(view, one, plan) !== null);
  return owned ? null : view.subscription;
}

function isClosed(view: ChargeView, subscription: Subscription, plan: Plan): boolean {
  const { status, built } = subscription;
  if (status !== 'failed') return ownAccount(view, subscription, plan) === null;
  // An account that began since then is a new one of the wallet.
  return view.subscription === null || (built !== null && view.subscription.periodStart > built.builtAt);
}

/**
 * The instructions that close the account in its present state (cancel-resume-close#how-each-ending-closes).
 * Throws `close_too_early` while a cancellation runs, and `subscription_not_cancelled` without one.
 */
function closingInstructions(subscription: Subscription, account: SubscriptionView, view: ChargeView) {
  const cancelled = account.expiresAt !== null;
  if (cancelled && view.time >= account.expiresAt) return 'revoke' as const;
  if (!cancelled && isStoppedWithAuthority(subscription)) throw notCancelled(subscription);
  const planUnchanged = view.plan !== null && sameTerms(account, view.plan);
  const planRuns = planUnchanged && (view.plan.endsAt === null || view.time <= view.plan.endsAt);
  const authorityClosed = subscription.status === 'stopped' && !isStoppedWithAuthority(subscription);
  if (authorityClosed && planUnchanged && account.payer === subscription.wallet)
    return 'revoke_abandoned' as const;
  if (!cancelled && (authorityClosed || !planRuns)) return 'cancel_and_revoke' as const;
  const until = account.expiresAt ?? planEndOf(subscription, view);
  if (until === null) throw notCancelled(subscription);
  throw new ServiceError('close_too_early', {
    message: `The subscription runs until ${until.toISOString()}; it can be closed from then on.`,
  });
}

/** The end of the plan that ended a subscription, while the chain's clock has not reached it; else null. */
function planEndOf({ status, endReason }: Subscription, { plan }: ChargeView): Date | null {
  return status === 'ended' && endReason === 'plan_ended' ? (plan?.endsAt ?? null) : null;
}
