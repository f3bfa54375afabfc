import { ServiceError } from '../../contract/errors.js';
import type { Plan, Subscription, SubscriptionForAccess } from '../../records/index.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { withOtherWallets } from '../subscriptions/customer.js';

/**
 * Refuses a customer who pays with another wallet for a plan of one subscription per customer
 * (checkout#one-per-customer). Returns the customer's other subscriptions then.
 */
export async function requireOnlyOne(
  service: Service,
  plan: Plan,
  customer: Pick<Subscription, 'customerTyped' | 'externalId' | 'email' | 'wallet'>,
): Promise<readonly SubscriptionForAccess[]> {
  if (!plan.onePerCustomer) return [];
  const others = await withOtherWallets(service, plan, customer);
  refuseCharged(others);
  return others;
}

/** The refusal names no wallet, because a server may pass on an email that a stranger typed. */
function refuseCharged(others: readonly Pick<Subscription, 'status'>[]): void {
  if (others.some(({ status }) => isCharged(status)))
    throw new ServiceError('already_subscribed', {
      message:
        'The customer pays for this plan with another wallet already, and it takes one subscription of each customer. Cancel that one first.',
    });
}

/**
 * The customer's pending checkouts with other wallets. Refuses as `requireOnlyOne` does, and with
 * `subscription_changed` while the transaction of one may still land.
 */
export async function competingCheckouts(
  service: Service,
  plan: Plan,
  subscription: Subscription,
): Promise<readonly Subscription[]> {
  const { store } = service;
  const others = await requireOnlyOne(service, plan, subscription);
  const pending = others.filter(({ status }) => status === 'pending');
  const read = await Promise.all(pending.map(({ id }) => store.findSubscription(plan.projectId, id)));
  // A listed checkout may have been paid since. The version of a pending one guards the commit.
  refuseCharged(read.flatMap((one) => one ?? []));
  for (const { id } of pending)
    if ((await store.findOpenTransfer(id)) !== null)
      throw new ServiceError('subscription_changed', {
        message:
          'Another checkout of the customer was submitted and may still be paid. Try again in a moment.',
      });
  return read.flatMap((one) => (one?.status === 'pending' ? [one] : []));
}
