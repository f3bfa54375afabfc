import { findReplaced } from '../../commits/subscription-context.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import type { CreateAnswer } from '../../contract/build.js';
import { ServiceError, type ErrorCode } from '../../contract/errors.js';
import type { Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireSubscription } from '../require.js';
import { checkoutKind, requireComebackNow, type CheckoutKind } from './checkout-kind.js';
import { issueCheckout } from './issue-checkout.js';
import { requireReplaceable } from './plan-change.js';
import { buildFirstPayment, readCheckout, requireCheckout } from './preconditions.js';
import { requireSeat } from './seats.js';
import { settledUnseen } from './unseen-checkouts.js';

/** Builds a fresh transaction for a pending subscription (checkout#fresh-transaction-for-a-checkout). */
export async function freshTransaction(
  service: Service,
  project: Project,
  id: string,
): Promise<CreateAnswer> {
  const since = service.clock.now();
  return retryOnConflict(service.clock, async () => {
    const { subscription, plan } = await requireSubscription(service, project, id);
    if (!awaitsSignature(subscription, service.clock.now())) throw new ServiceError('not_awaiting_signature');
    const reads = await readCheckout(service, plan, subscription.wallet);
    requireCheckout(service, plan, reads);
    const { view } = reads;
    const subscriptions = await service.store.listByWalletAndPlan(plan.id, subscription.wallet);
    if (await settledUnseen(service, { project, plan }, subscriptions, view)) return 'lost';
    const replaced = await findReplaced(service, project, subscription);
    const checkout: CheckoutKind =
      replaced === null ? checkoutKindOrSubscribe(plan, subscriptions, view) : { kind: 'change', replaced };
    if (replaced !== null) await requireReplaceable(service, replaced);
    await requireComebackNow(service, checkout, plan, subscriptions, view);
    await requireSeat(service, project, subscription.wallet);
    const { wallet } = subscription;
    const built = await buildFirstPayment(service, { ...reads, plan, wallet, checkout });
    const issued = { plan, project, subscription, view, kind: checkout.kind, replaced };
    return issueCheckout(service, issued, built, since);
  });
}

/** Past its time, a checkout is about to expire or waits for its transaction, and cannot be signed. */
function awaitsSignature({ status, checkoutExpiresAt }: Subscription, now: Date): boolean {
  return status === 'pending' && checkoutExpiresAt !== null && now < checkoutExpiresAt;
}

/** The conflicts without a code on this route, which the submit reports (errors#refusals-left-to-submit). */
const REPORTED_BY_SUBMIT: readonly ErrorCode[] = [
  'already_subscribed',
  'payment_pending',
  'subscription_cancelled',
  'subscription_stopped',
  'subscription_terms_changed',
];

function checkoutKindOrSubscribe(...args: Parameters<typeof checkoutKind>): CheckoutKind {
  try {
    return checkoutKind(...args);
  } catch (cause) {
    if (cause instanceof ServiceError && REPORTED_BY_SUBMIT.includes(cause.code))
      return { kind: 'subscribe' };
    throw cause;
  }
}
