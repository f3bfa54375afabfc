import { ServiceError } from '../../contract/errors.js';
import type { Customer } from '../../ports/index.js';
import type { Plan, Subscription, SubscriptionForAccess } from '../../records/index.js';
import { customerOfCheckout, isCustomerTyped, sameCustomer } from '../../rules/customer.js';
import { isCharged } from '../../rules/running.js';
import type { Service } from '../../service.js';

/** The three parameters by which a query may name a customer. */
interface CustomerParameters {
  readonly wallet?: string | undefined;
  readonly external_id?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * The customer that a query names, by exactly one parameter (access#one-customer-identifier). The refusal is
 * a sentence and no list, because no single field is at fault.
 */
export function customerOfQuery({ wallet, external_id, email }: CustomerParameters): Customer {
  const customers: Customer[] = [];
  if (wallet !== undefined) customers.push({ by: 'wallet', value: wallet });
  if (external_id !== undefined) customers.push({ by: 'external_id', value: external_id });
  if (email !== undefined) customers.push({ by: 'email', value: email });
  const [only] = customers;
  if (only === undefined || customers.length > 1) {
    throw new ServiceError('invalid_request', {
      message: 'Name the customer by exactly one of wallet, external_id and email.',
    });
  }
  return only;
}

/**
 * A customer's subscriptions to a plan with other wallets, newest first, without expired checkouts. A
 * customer by wallet alone has none, and so has one whose email a stranger may have typed: that says nothing
 * of who pays, and a stranger must learn nothing of the customer (checkout#one-per-customer).
 */
export async function withOtherWallets(
  { store }: Pick<Service, 'store'>,
  plan: Plan,
  subscription: Pick<Subscription, 'customerTyped' | 'externalId' | 'email' | 'wallet'>,
): Promise<readonly SubscriptionForAccess[]> {
  const customer = customerOfCheckout(subscription);
  if (customer.by === 'wallet' || isCustomerTyped(subscription)) return [];
  const holdings = await store.listForAccess(plan.projectId, customer, plan.slug);
  return holdings.flatMap(({ plan: { id }, subscription: other }) =>
    id === plan.id &&
    other.wallet !== subscription.wallet &&
    !isCustomerTyped(other) &&
    sameCustomer(customerOfCheckout(other), customer)
      ? [other]
      : [],
  );
}

/** The customer's other subscriptions to the plan that are charged beside this one, newest first. */
export async function chargedBeside(
  service: Pick<Service, 'store'>,
  plan: Plan,
  subscription: Subscription,
): Promise<readonly SubscriptionForAccess[]> {
  if (!isCharged(subscription.status)) return [];
  return (await withOtherWallets(service, plan, subscription)).filter(({ status }) => isCharged(status));
}
