import type * as z from 'zod';

import { AttemptPage } from '../../contract/attempt.js';
import { Explanation } from '../../management/subscriptions/explanation/schemas.js';
import { SubscriptionUpdate } from '../../management/plans/schemas.js';
import { SubscriptionPage } from '../../contract/page.js';
import {
  AttemptsQuery,
  SubscriptionsQuery,
  type SubscriptionsQueryInput,
  type AttemptsQueryInput,
} from '../../contract/requests.js';
import { SubscriptionDetail } from '../../management/subscriptions/schemas.js';
import {
  SubscriptionSearchPage,
  SubscriptionSearchQuery,
  type SubscriptionSearchQueryInput,
} from '../../management/subscriptions/search-schemas.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { operation } from '../operation.js';
import { listAttempts } from './attempts.js';
import { correctCustomer } from '../../management/subscriptions/correct-customer.js';
import { subscriptionDetail } from '../../management/subscriptions/detail.js';
import { explainSubscription } from '../../management/subscriptions/explanation/explain.js';
import { listSubscriptions } from './list.js';
import { retrieveSubscription } from './retrieve.js';
import { retrySubscription } from './retry.js';
import { searchSubscriptions } from '../../management/subscriptions/search.js';

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
   * Lists the attempts to charge a subscription, newest first, `limit` (1 to 100, 20 when absent) at a time. Amounts are text, in
   * the token's smallest unit.
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
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_late`, `subscription_paused`, `plan_ended`,
   * `retry_deadline_passed`, `retries_spent`, `pull_running`, `retry_too_soon`, `insufficient_balance`,
   * `retry_cannot_succeed`, `subscription_changed` or `network_unavailable`.
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
  /**
   * Finds subscriptions of the whole project, newest first, `limit` (1 to 100, 20 when absent) at a time: those that fit every
   * field that is given. `id` is the id of a subscription, or the address of its account on chain. `status`, `late` and
   * `blocked` are those that the items show.
   *
   * A page may have fewer items than `limit`, or none, although `has_more` is true: go on with `next`. Only management has it:
   * no route of the contract lists every subscription.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * let next: string | null | undefined;
   * do {
   *   const page = await shop.subscriptions.search({ plan: 'pro', late: true, starting_after: next ?? undefined });
   *   for (const { id, external_id, next_retry_at } of page.data) console.log(id, external_id, next_retry_at);
   *   next = page.next;
   * } while (next !== null);
   */
  search: operation<(query?: SubscriptionSearchQueryInput) => Promise<SubscriptionSearchPage>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions',
    input: SubscriptionSearchQuery.prefault({}),
    output: SubscriptionSearchPage,
    errors: ['plan_not_found'],
    summary: "A project's subscriptions that fit every filter, of whatever status, newest first.",
    run: ({ service, project, input }) => searchSubscriptions(service, project, input),
  }),
  /**
   * Reads everything of one subscription: its newest 20 attempts, events, transfers and deliveries, each with `has_more`, and in
   * `internals` what its customer does not see. Only management has it.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { subscription, internals, transfers } = await shop.subscriptions.detail(id);
   * console.log(subscription.status, internals.wake_at, internals.open_transfer?.signature);
   * for (const { signature, state, amount, fee_lamports } of transfers.data) console.log(signature, state, amount, fee_lamports);
   */
  detail: operation<(id: string) => Promise<SubscriptionDetail>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    output: SubscriptionDetail,
    notFound: 'subscription_not_found',
    summary: 'One subscription with its newest attempts, events, transfers and deliveries.',
    run: ({ service, project, id }) => subscriptionDetail(service, project, id),
  }),
  /**
   * Corrects who the customer of a subscription is, such as one who paid under a mistyped email: a field that is left out stays
   * as it is, and null removes it. Access, lists and later events go by it at once.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `conflict` or `subscription_changed`.
   *
   * @example
   * await shop.subscriptions.update(id, { external_id: 'customer-42', email: 'ada@example.org' });
   */
  update: operation<(id: string, changes: SubscriptionUpdate) => Promise<SubscriptionWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    input: SubscriptionUpdate,
    output: SubscriptionWire,
    notFound: 'subscription_not_found',
    errors: ['conflict', 'subscription_changed'],
    summary: 'Corrects who the customer of a subscription is.',
    run: ({ service, project, id, input }) => correctCustomer(service, project, id, input),
  }),
  /**
   * Explains a subscription in sentences, for a person: its state and why it has or has no access, what happened, what happens next
   * and when, and what can be done by whom.
   *
   * Refuses with `not_found` or `subscription_not_found`.
   *
   * @example
   * const { state, to_do } = await shop.subscriptions.explain(id);
   * console.log(state.join(' '), to_do.map(({ who, what }) => `${who}: ${what}`));
   */
  explain: operation<(id: string) => Promise<Explanation>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}/explain',
    output: Explanation,
    notFound: 'subscription_not_found',
    summary: 'A subscription in sentences: its state, what happened, what happens next, and what to do.',
    run: ({ service, project, id }) => explainSubscription(service, project, id),
  }),
};
