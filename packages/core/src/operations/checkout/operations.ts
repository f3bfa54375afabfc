import { CreateAnswer } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { CreateBody, SubmitBody } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { createSubscription } from './create.js';
import { CANNOT_PAY } from './preconditions.js';
import { submitSubscription } from './submit.js';
import { freshTransaction } from './transaction.js';

const COMEBACK = ['comeback_landed', 'comeback_in_flight', 'comeback_period_rolling'] as const;

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
  'network_unavailable',
] as const;

/** Checkout: from the reservation of a subscription to its first payment. */
export const checkoutOperations = [
  operation({
    name: 'subscriptions.create',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions',
    limit: 'write',
    input: CreateBody,
    output: CreateAnswer,
    status: 201,
    notFound: null,
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
    ],
    summary: 'Reserves a subscription and returns the terms and the transaction for the wallet to sign.',
    run: ({ service, project, input }) => createSubscription(service, project, input),
  }),
  operation({
    name: 'subscriptions.transaction',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/transaction',
    limit: 'write',
    input: null,
    output: CreateAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: ['not_awaiting_signature', ...CHECKOUT, 'subscription_changed'],
    summary: 'Builds a fresh transaction for a pending subscription. Always sign the one of the last call.',
    run: ({ service, project, id }) => freshTransaction(service, project, id),
  }),
  operation({
    name: 'subscriptions.submit',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/submit',
    limit: 'write',
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
      'transaction_refused',
      'subscription_changed',
      'network_unavailable',
    ],
    summary:
      'Takes both signatures, co-signs, sends, and waits for the chain: up to 90 seconds. Safe to repeat unchanged.',
    run: ({ service, project, id, input }) => submitSubscription(service, project, id, input),
  }),
] as const;
