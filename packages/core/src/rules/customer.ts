import type { Customer, PendingOwner } from '../ports/index.js';
import type { Subscription } from '../records/index.js';

/**
 * The customer of a checkout: the external id, else the email, else the wallet alone
 * (checkout#customer-of-a-checkout).
 */
export function customerOfCheckout({
  externalId,
  email,
  wallet,
}: Pick<Subscription, 'externalId' | 'email' | 'wallet'>): Customer {
  if (externalId !== null) return { by: 'external_id', value: externalId };
  if (email !== null) return { by: 'email', value: email };
  return { by: 'wallet', value: wallet };
}

/**
 * Whose a pending checkout is: the session's for which it is reserved, else its customer's
 * (checkout#repeated-create-is-idempotent).
 */
export function ownerOfPending({
  reservedFor,
  ...customer
}: Pick<Subscription, 'reservedFor' | 'externalId' | 'email' | 'wallet'>): PendingOwner {
  return reservedFor === null ? customerOfCheckout(customer) : { by: 'session', value: reservedFor };
}

/**
 * Whether nobody but the payer said who the customer of a subscription is: its email may be one that a
 * stranger typed (checkout#one-per-customer).
 */
export function isCustomerTyped({
  customerTyped,
  externalId,
}: Pick<Subscription, 'customerTyped' | 'externalId'>): boolean {
  return customerTyped && externalId === null;
}

/** Who the customer of a subscription is, and whether a stranger may have said so. */
export type NamedCustomer = Pick<Subscription, 'externalId' | 'email' | 'customerTyped'>;

/** The customer that a change of plan keeps (plan-changes#customer-of-a-change). */
export function namedCustomer({ externalId, email, customerTyped }: NamedCustomer): NamedCustomer {
  return { externalId, email, customerTyped };
}

/** Whether two checkouts are for the same customer, or of the same session. */
export function sameCustomer(a: PendingOwner, b: PendingOwner): boolean {
  return a.by === b.by && a.value === b.value;
}
