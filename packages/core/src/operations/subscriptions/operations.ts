import type * as z from 'zod';

import { AttemptPage } from '../../contract/attempt.js';
import { SubscriptionPage } from '../../contract/page.js';
import {
  AttemptsQuery,
  SubscriptionsQuery,
  type SubscriptionsQueryInput,
  type AttemptsQueryInput,
} from '../../contract/requests.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { operation } from '../operation.js';
import { listAttempts, listSubscriptions, retrieveSubscription } from './read-subscriptions.js';
import { retrySubscription } from './retry.js';

export const subscriptionOperations = {
  /**
   * Lists one customer's subscriptions, newest first, `limit` (1 to 100, 20 when absent) at a time.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { data, has_more } = await shop.subscriptions.list({ external_id: 'customer-42' });
   */
  list: operation<(query: SubscriptionsQueryInput) => Promise<SubscriptionPage>>()({
    method: 'GET',
    path: '/v1/subscriptions',
    // The schema leaves a customer who is named twice to `run`, whose answer says what to do.
    input: SubscriptionsQuery as z.ZodType<SubscriptionsQuery, SubscriptionsQueryInput>,
    output: SubscriptionPage,
    errors: ['plan_not_found'],
    summary:
      "One customer's subscriptions, newest first. Name the customer by exactly one of wallet, external_id and email.",
    run: ({ service, project, input }) => listSubscriptions(service, project, input),
  }),
  /**
   * Reads one subscription. Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { status, access, next_charge_at } = await shop.subscriptions.retrieve(id);
   */
  retrieve: operation<(id: string) => Promise<SubscriptionWire>>()({
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    output: SubscriptionWire,
    notFound: 'subscription_not_found',
    summary: 'One subscription.',
    run: ({ service, project, id }) => retrieveSubscription(service, project, id),
  }),
  /**
   * Lists the attempts to charge a subscription, newest first, `limit` (1 to 100, 20 when absent) at a time.
   * Amounts are text, in the token's smallest unit.
   *
   * Refuses with `not_found`, `invalid_request` or `subscription_not_found`.
   *
   * @example
   * const { data } = await shop.subscriptions.attempts(id, { limit: 100 });
   * for (const { outcome, reason, amount } of data) console.log(outcome, reason, amount);
   */
  attempts: operation<(id: string, query?: AttemptsQueryInput) => Promise<AttemptPage>>()({
    method: 'GET',
    path: '/v1/subscriptions/{id}/attempts',
    input: AttemptsQuery.prefault({}),
    output: AttemptPage,
    notFound: 'subscription_not_found',
    summary: 'Its charges, newest first.',
    run: ({ service, project, id, input }) => listAttempts(service, project, id, input),
  }),
  /**
   * Queues the charge of the missed period, which the worker makes next. An event reports the outcome.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_late`, `subscription_paused`,
   * `change_in_flight`, `plan_ended`, `retry_deadline_passed`, `retries_spent`, `pull_running`,
   * `retry_too_soon`, `insufficient_balance`, `retry_cannot_succeed`, `subscription_changed` or
   * `network_unavailable`.
   *
   * @example
   * import { isServiceError } from '@subrail/core';
   *
   * try {
   *   await shop.subscriptions.retry(id);
   * } catch (error) {
   *   if (!isServiceError(error, 'insufficient_balance')) throw error;
   *   console.log('The wallet is still short of the token.');
   * }
   */
  retry: operation<(id: string) => Promise<SubscriptionWire>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/retry',
    output: SubscriptionWire,
    status: 202,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_late',
      'subscription_paused',
      'plan_ended',
      'retry_deadline_passed',
      'retries_spent',
      'change_in_flight',
      'pull_running',
      'retry_too_soon',
      'insufficient_balance',
      'retry_cannot_succeed',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Runs the charge of the missed period now, in the background; its outcome comes as an event.',
    run: ({ service, project, id }) => retrySubscription(service, project, id),
  }),
};
