import { ServiceError } from '../contract/errors.js';
import type { Customer } from '../ports/index.js';

interface Named {
  readonly wallet?: string | undefined;
  readonly external_id?: string | undefined;
  readonly email?: string | undefined;
}

/** access#one-customer-identifier: the customer a query names, by exactly one of the three. */
export function namedCustomer({ wallet, external_id, email }: Named): Customer {
  const named: Customer[] = [];
  if (wallet !== undefined) named.push({ by: 'wallet', value: wallet });
  if (external_id !== undefined) named.push({ by: 'external_id', value: external_id });
  if (email !== undefined) named.push({ by: 'email', value: email });
  const [only] = named;
  if (only === undefined || named.length > 1) {
    throw new ServiceError('invalid_request', {
      sentences: ['Name the customer by exactly one of wallet, external_id and email.'],
    });
  }
  return only;
}

/** Who a checkout is for: the external_id, else the email, else nobody but the wallet (contract, create). */
export function customerOf(named: {
  readonly externalId: string | null;
  readonly email: string | null;
  readonly wallet: string;
}): Customer {
  if (named.externalId !== null) return { by: 'external_id', value: named.externalId };
  if (named.email !== null) return { by: 'email', value: named.email };
  return { by: 'wallet', value: named.wallet };
}

export function sameCustomer(a: Customer, b: Customer): boolean {
  return a.by === b.by && a.value === b.value;
}
