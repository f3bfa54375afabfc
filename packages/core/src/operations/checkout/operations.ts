import { CreateAnswer } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { CreateBody, SubmitBody } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { createSubscription } from './create.js';
import { CANNOT_PAY } from './preconditions.js';
import { submitSubscription } from './submit.js';
import { freshTransaction } from './transaction.js';

const COMEBACK = ['comeback_landed', 'comeback_in_flight', 'comeback_period_rolling'] as const;

/** The codes that refuse to replace a subscription, besides those of the new one. */
const CHANGE = ['not_replaceable', 'change_in_flight'] as const;

/** The codes that refuse to build the transaction of a checkout. */
const CHECKOUT = [
  'plan_removed',
  'plan_replaced',
  'plan_mismatch',
  'plan_ended',
  'plan_sunset',
  ...CANNOT_PAY,
  'seat_cap_reached',
  ...COMEBACK,
  ...CHANGE,
  'network_unavailable',
] as const;

export const checkoutOperations = {
  /**
   * Reserves a subscription for 30 minutes and returns the terms and the transaction (base64) for the wallet
   * to sign. Costs are in lamports, as text. With `replaces` it is a change of plan: the same signature ends
   * that subscription.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found`, `plan_not_on_chain`, `plan_removed`,
   * `plan_replaced`, `plan_mismatch`, `plan_ended`, `plan_sunset`, `mint_not_on_chain`,
   * `mint_not_transferable`, `mint_transfer_hook`, `mint_paused`, `receiver_account_missing`,
   * `receiver_account_frozen`, `receiver_account_needs_memo`, `receiver_account_confidential_only`,
   * `insufficient_balance`, `token_account_reassigned`, `token_account_frozen`, `token_account_guarded`,
   * `insufficient_lamports`, `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`,
   * `comeback_period_rolling`, `already_subscribed`, `payment_pending`, `subscription_cancelled`,
   * `subscription_stopped`, `subscription_terms_changed`, `pending_cap_reached`, `subscription_changed`,
   * `subscription_not_found`, `wallet_mismatch`, `not_replaceable`, `change_in_flight` or
   * `network_unavailable`.
   *
   * @example
   * const { subscription, terms, transaction } = await shop.subscriptions.create({
   *   plan: 'pro',
   *   wallet: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
   *   external_id: 'customer-42',
   * });
   * // The wallet signs `terms.message` and `transaction`; `submit` takes what it signed.
   */
  create: operation<(input: CreateBody) => Promise<CreateAnswer>>()({
    method: 'POST',
    path: '/v1/subscriptions',
    input: CreateBody,
    output: CreateAnswer,
    status: 201,
    errors: [
      'plan_not_found',
      'plan_not_on_chain',
      ...CHECKOUT,
      'already_subscribed',
      'payment_pending',
      'subscription_cancelled',
      'subscription_stopped',
      'subscription_terms_changed',
      'pending_cap_reached',
      'subscription_changed',
      'subscription_not_found',
      'wallet_mismatch',
    ],
    summary: 'Reserves a subscription and returns the terms and the transaction for the wallet to sign.',
    run: ({ service, project, input }) => createSubscription(service, project, input),
  }),
  /**
   * Builds a fresh transaction for a pending subscription. The wallet signs the transaction of the last call.
   *
   * Refuses with `not_found`, `subscription_not_found`, `not_awaiting_signature`, `plan_removed`,
   * `plan_replaced`, `plan_mismatch`, `plan_ended`, `plan_sunset`, `mint_not_on_chain`,
   * `mint_not_transferable`, `mint_transfer_hook`, `mint_paused`, `receiver_account_missing`,
   * `receiver_account_frozen`, `receiver_account_needs_memo`, `receiver_account_confidential_only`,
   * `insufficient_balance`, `token_account_reassigned`, `token_account_frozen`, `token_account_guarded`,
   * `insufficient_lamports`, `seat_cap_reached`, `comeback_landed`, `comeback_in_flight`,
   * `comeback_period_rolling`, `not_replaceable`, `change_in_flight`, `subscription_changed` or
   * `network_unavailable`.
   *
   * @example
   * const { terms, transaction } = await shop.subscriptions.transaction(id);
   */
  transaction: operation<(id: string) => Promise<CreateAnswer>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/transaction',
    output: CreateAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: ['not_awaiting_signature', ...CHECKOUT, 'subscription_changed'],
    summary: 'Builds a fresh transaction for a pending subscription. Always sign the one of the last call.',
    run: ({ service, project, id }) => freshTransaction(service, project, id),
  }),
  /**
   * Co-signs and sends the transaction that the wallet signed (base64), and stores the wallet's signature of
   * the terms (base58 or base64). The call waits up to 90 seconds for the chain, and may be repeated
   * unchanged. When nothing is settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `not_awaiting_signature`,
   * `transaction_not_built`, `not_our_transaction`, `wallet_mismatch`, `terms_missing`,
   * `invalid_terms_signature`, `terms_used`, `terms_expired`, `terms_changed`, `transaction_expired`,
   * `already_subscribed`, `seat_cap_reached`, `subscription_stopped`, `subscription_terms_changed`,
   * `comeback_landed`, `comeback_in_flight`, `comeback_period_rolling`, `not_replaceable`,
   * `change_in_flight`, `transaction_refused`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const signed = (await request.json()) as { transaction: string; terms_signature: string };
   * const result = await shop.subscriptions.submit(id, signed);
   * if ('reason_code' in result) console.log(result.reason_code, result.reason);
   * else console.log(result.subscription.status);
   */
  submit: operation<(id: string, input: SubmitBody) => Promise<Confirmation>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/submit',
    input: SubmitBody,
    output: Confirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'not_awaiting_signature',
      'transaction_not_built',
      'not_our_transaction',
      'wallet_mismatch',
      'terms_missing',
      'invalid_terms_signature',
      'terms_used',
      'terms_expired',
      'terms_changed',
      'transaction_expired',
      'already_subscribed',
      'seat_cap_reached',
      'subscription_stopped',
      'subscription_terms_changed',
      ...COMEBACK,
      ...CHANGE,
      'transaction_refused',
      'subscription_changed',
      'network_unavailable',
    ],
    summary:
      'Takes both signatures, co-signs, sends, and waits for the chain: up to 90 seconds. Safe to repeat unchanged.',
    run: ({ service, project, id, input }) => submitSubscription(service, project, id, input),
  }),
};
