import type { Customer } from '../ports/index.js';
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

/** Whether two checkouts are for the same customer. */
export function sameCustomer(a: Customer, b: Customer): boolean {
  return a.by === b.by && a.value === b.value;
}
