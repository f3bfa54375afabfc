import {
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';
import { signMessage, signTransaction } from '@subrail/localnet';

import type { ApiAnswer, Call } from './http-calls.js';

/** What create and transaction answer: the checkout, and what its wallet has to sign. */
export interface IssuedCheckout {
  readonly subscription: { readonly id: string };
  readonly transaction: string;
  readonly terms: { readonly message: string; readonly expires_at: string };
  readonly costs: { readonly rent: object };
}

/** Anything that can call the service: a test world, or another host of the service. */
interface Caller {
  readonly call: Call;
}

export function createCheckout(
  { call }: Caller,
  wallet: KeyPairSigner,
  customer = 'customer-1',
  email?: string,
): Promise<ApiAnswer> {
  const body = { plan: 'pro', wallet: wallet.address, external_id: customer };
  return call('POST', '/subscriptions', email === undefined ? body : { ...body, email });
}

/** Creates a checkout that must be answered 201. */
export async function issueCheckout(
  world: Caller,
  wallet: KeyPairSigner,
  customer?: string,
  email?: string,
): Promise<IssuedCheckout> {
  const { status, body } = await createCheckout(world, wallet, customer, email);
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return body as unknown as IssuedCheckout;
}

/** Asks for a fresh transaction of a checkout. */
export function freshTransaction({ call }: Caller, { subscription }: IssuedCheckout): Promise<ApiAnswer> {
  return call('POST', `/subscriptions/${subscription.id}/transaction`);
}

/** The body of a submit: the transaction and the terms, signed by a wallet. */
export async function signCheckout(wallet: KeyPairSigner, { transaction, terms }: IssuedCheckout) {
  return {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  };
}

/** Signs and submits a checkout; `id` is the subscription it is submitted for, its own by default. */
export async function submitCheckout(
  { call }: Caller,
  wallet: KeyPairSigner,
  checkout: IssuedCheckout,
  id = checkout.subscription.id,
): Promise<ApiAnswer> {
  return call('POST', `/subscriptions/${id}/submit`, await signCheckout(wallet, checkout));
}

/** An answer in short, such as `201`, `409 plan_ended` or `201 nothing_landed`. */
export function statusAndCode({ status, body }: ApiAnswer): string {
  const code = body['code'] ?? body['reason_code'];
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** The signature that identifies a signed transaction, base58. */
export function signatureOf(wire: string): string {
  return getSignatureFromTransaction(getTransactionDecoder().decode(getBase64Encoder().encode(wire)));
}
