import { ServiceError } from '../contract/errors.js';
import type { Customer } from '../ports/index.js';

/** Every way a request may name a customer. */
export interface CustomerNames {
  readonly wallet?: string | undefined;
  readonly external_id?: string | undefined;
  readonly email?: string | undefined;
}

/** D6.1: the customer a request names by exactly one of the three. Throws `invalid_request` otherwise. */
export function namedCustomer({ wallet, external_id, email }: CustomerNames): Customer {
  const named: Customer[] = [];
  if (wallet !== undefined) named.push({ by: 'wallet', value: wallet });
  if (external_id !== undefined) named.push({ by: 'external_id', value: external_id });
  if (email !== undefined) named.push({ by: 'email', value: email });
  const [customer] = named;
  if (customer === undefined || named.length > 1) {
    throw new ServiceError('invalid_request', {
      message: 'Name the customer by exactly one of wallet, external_id and email.',
    });
  }
  return customer;
}
