import type { BuildAnswer } from '../../contract/build.js';
import type { Confirmation } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import type { ConfirmBody } from '../../contract/requests.js';
import { chargeTarget } from '../../commits/subscription-changes.js';
import type { ChargeView, SubscriptionView } from '../../ports/index.js';
import type { Project, Subscription } from '../../records/index.js';
import { sameTerms } from '../../rules/decide.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import type { ActionConfirmation } from './confirm-action.js';
import { confirmAction } from './confirm-action.js';
import { findSubscription } from '../find-subscription.js';
import { issueAction } from './issue-action.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { readChargeView } from '../read-charge-view.js';

/** Builds the closing of a subscription that is over, which gives the wallet its deposit back (contract, close; cancel-resume-close#how-each-ending-closes). */
export async function closeSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<BuildAnswer> {
  return retryOnConflict(service.clock, async () => {
    const held = { project, ...(await findSubscription(service, project, id)) };
    const { plan, subscription } = held;
    const open = staysOpen(subscription);
    if (!open) requireClosable(subscription);
    const view = await readChargeView(service, plan, subscription.wallet);
    const account = ownAccount(view, subscription, plan);
    if (account === null) throw new ServiceError('subscription_not_on_chain');
    if (open && account.expiresAt === null) throw notCancelled();
    return issueAction(service, held, 'close', {
      ...chargeTarget(plan, subscription.wallet),
      kind: 'close',
      by: recipeFor(subscription, account, view),
      payer: account.payer,
    });
  });
}

const CLOSING: ActionConfirmation = {
  action: 'close',
  notLanded: 'close_not_landed',
  movedOn: 'subscription_changed',
  done: ({ closedAt }) => closedAt !== null,
  require: requireClosable,
  verdict: (view, { plan, subscription }) =>
    ownAccount(view, subscription, plan) === null ? { kind: 'closed' } : null,
};

/** Confirms a closing by what the chain shows (contract, close/confirm). */
export async function confirmClose(
  service: Service,
  project: Project,
  id: string,
  { signature }: ConfirmBody,
): Promise<Confirmation> {
  return confirmAction(service, project, id, signature, CLOSING);
}

/** Whether it stopped and must be cancelled before it can be closed; the wallet may have done so without the service. */
function staysOpen({ status, stopReason }: Subscription): boolean {
  return status === 'stopped' && stopReason !== 'authority_closed';
}

function notCancelled(): ServiceError {
  return new ServiceError('subscription_not_cancelled', {
    message: 'The subscription stopped and stays open on chain. Cancel it first.',
  });
}

/** What may ever be closed, whatever the chain says now. */
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
      if (staysOpen(subscription) && built?.action !== 'close') throw notCancelled();
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

/** program#first-payment-transaction: how the account is closed as it stands. Throws `close_too_early` while a cancellation runs. */
function recipeFor(subscription: Subscription, account: SubscriptionView, view: ChargeView) {
  const cancelled = account.expiresAt !== null;
  if (cancelled && view.time >= account.expiresAt) return 'revoke' as const;
  const planStands = view.plan !== null && sameTerms(account, view.plan);
  const planRuns = planStands && (view.plan.endsAt === null || view.time <= view.plan.endsAt);
  const abandoned = subscription.status === 'stopped' && !staysOpen(subscription);
  if (abandoned && planStands && account.payer === subscription.wallet) return 'revoke_abandoned' as const;
  if (!cancelled && (abandoned || !planRuns)) return 'cancel_and_revoke' as const;
  throw new ServiceError('close_too_early', {
    message: `The subscription runs until ${(account.expiresAt ?? view.time).toISOString()}; it can be closed from then on.`,
  });
}
