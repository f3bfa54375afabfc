import type { CreateAnswer } from '../../contract/build.js';
import { ServiceError, type ErrorCode } from '../../contract/errors.js';
import type { Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireSeat } from './seats.js';
import { readPayableView, requireBalance } from './require-payable.js';
import { findSubscription } from '../find-subscription.js';
import { issueCheckout } from './issue-checkout.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { requireComebackNow, checkoutKind, type CheckoutKind } from './checkout-kind.js';

/** Builds a fresh transaction for a pending subscription; only the one of the last call can be submitted (contract, transaction). */
export async function freshTransaction(
  service: Service,
  project: Project,
  id: string,
): Promise<CreateAnswer> {
  return retryOnConflict(service.clock, async () => {
    const { subscription, plan } = await findSubscription(service, project, id);
    if (!awaitsSignature(subscription, service.clock.now())) throw new ServiceError('not_awaiting_signature');
    const view = await readPayableView(service, plan, subscription.wallet);
    const subscriptions = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
    const way = checkoutKindOrSubscribe(plan, subscriptions, view);
    await requireComebackNow(service, way, plan, subscriptions, view);
    await requireSeat(service, project, subscription.wallet);
    requireBalance(view, plan);
    return issueCheckout(service, { plan, project, subscription, view }, way);
  });
}

/** Past its time it is about to expire, or waits only to know that what it submitted did not land (checkout#other-checkouts-of-the-wallet). */
function awaitsSignature({ status, checkoutExpiresAt }: Subscription, now: Date): boolean {
  return status === 'pending' && checkoutExpiresAt !== null && now < checkoutExpiresAt;
}

/** What stands in the way of the wallet beside its own returns is told when it submits: this route has no codes for it (errors#codes-of-each-route). */
const TOLD_BY_SUBMIT: readonly ErrorCode[] = [
  'already_subscribed',
  'payment_pending',
  'subscription_cancelled',
  'subscription_stopped',
  'subscription_terms_changed',
];

function checkoutKindOrSubscribe(...asked: Parameters<typeof checkoutKind>): CheckoutKind {
  try {
    return checkoutKind(...asked);
  } catch (cause) {
    if (cause instanceof ServiceError && TOLD_BY_SUBMIT.includes(cause.code)) return { kind: 'subscribe' };
    throw cause;
  }
}
