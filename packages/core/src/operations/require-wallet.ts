import { ServiceError } from '../contract/errors.js';
import type { AddressKind, AddressView } from '../ports/index.js';

/** Why an address of each kind is none that a wallet signs for, as the end of a sentence about it. */
export const NO_WALLET: Readonly<Record<Exclude<AddressKind, 'wallet'>, string>> = {
  program: 'must be the address of a wallet, and it is a program or another address of the chain itself',
  token:
    'must be the address of a wallet, and it is a token or a token account: name the wallet that owns it',
  off_curve: 'must be the address of a wallet, and it is off the curve, so no wallet has its key',
};

/** Refuses an address for which no wallet can sign (plans#addresses-that-can-sign). `field` names it in the sentence. */
export function requireWallet(field: string, { kind }: AddressView): void {
  if (kind === 'wallet') return;
  throw new ServiceError('invalid_request', { sentences: [`"${field}" ${NO_WALLET[kind]}.`] });
}
