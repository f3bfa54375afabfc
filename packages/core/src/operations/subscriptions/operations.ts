import type * as z from 'zod';

import { AttemptPage } from '../../contract/attempt.js';
import { Explanation } from '../../contract/explanation.js';
import { SubscriptionUpdate } from '../../contract/management.js';
import { SubscriptionPage } from '../../contract/page.js';
import { AttemptsQuery, SubscriptionsQuery, type SubscriptionsQueryInput } from '../../contract/requests.js';
import { SubscriptionDetail } from '../../contract/subscription-detail.js';
import { SubscriptionSearchPage, SubscriptionSearchQuery } from '../../contract/subscription-search.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { operation } from '../operation.js';
import { listAttempts } from './attempts.js';
import { correctCustomer } from './correct-customer.js';
import { subscriptionDetail } from './detail.js';
import { explainSubscription } from './explain.js';
import { listSubscriptions } from './list.js';
import { retrieveSubscription } from './retrieve.js';
import { retrySubscription } from './retry.js';
import { searchSubscriptions } from './search.js';

/** Subscriptions: reading them and their charges, and retrying a missed charge. */
export const subscriptionOperations = [
  operation({
    name: 'subscriptions.list',
    scope: 'project',
    method: 'GET',
    path: '/v1/subscriptions',
    limit: 'read',
    // The schema leaves a customer who is named twice to `run`, whose answer says what to do.
    input: SubscriptionsQuery as z.ZodType<SubscriptionsQuery, SubscriptionsQueryInput>,
    output: SubscriptionPage,
    status: 200,
    notFound: null,
    errors: ['plan_not_found'],
    summary:
      "One customer's subscriptions, newest first. Name the customer by exactly one of wallet, external_id and email.",
    run: ({ service, project, input }) => listSubscriptions(service, project, input),
  }),
  operation({
    name: 'subscriptions.retrieve',
    scope: 'project',
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    limit: 'read',
    input: null,
    output: SubscriptionWire,
    status: 200,
    notFound: 'subscription_not_found',
    errors: [],
    summary: 'One subscription.',
    run: ({ service, project, id }) => retrieveSubscription(service, project, id),
  }),
  operation({
    name: 'subscriptions.attempts',
    scope: 'project',
    method: 'GET',
    path: '/v1/subscriptions/{id}/attempts',
    limit: 'read',
    input: AttemptsQuery.prefault({}),
    output: AttemptPage,
    status: 200,
    notFound: 'subscription_not_found',
    errors: [],
    summary: 'Its charges, newest first.',
    run: ({ service, project, id, input }) => listAttempts(service, project, id, input),
  }),
  operation({
    name: 'subscriptions.retry',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/retry',
    limit: 'write',
    input: null,
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
  operation({
    name: 'subscriptions.search',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions',
    input: SubscriptionSearchQuery.prefault({}),
    output: SubscriptionSearchPage,
    status: 200,
    notFound: null,
    errors: ['plan_not_found'],
    summary: "A project's subscriptions that fit every filter, of whatever status, newest first.",
    run: ({ service, project, input }) => searchSubscriptions(service, project, input),
  }),
  operation({
    name: 'subscriptions.detail',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    input: null,
    output: SubscriptionDetail,
    status: 200,
    notFound: 'subscription_not_found',
    errors: [],
    summary: 'One subscription with its newest attempts, events, transfers and deliveries.',
    run: ({ service, project, id }) => subscriptionDetail(service, project, id),
  }),
  operation({
    name: 'subscriptions.update',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/subscriptions/{id}',
    input: SubscriptionUpdate,
    output: SubscriptionWire,
    status: 200,
    notFound: 'subscription_not_found',
    errors: ['conflict', 'subscription_changed'],
    summary: 'Corrects who the customer of a subscription is.',
    run: ({ service, project, id, input }) => correctCustomer(service, project, id, input),
  }),
  operation({
    name: 'subscriptions.explain',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/subscriptions/{id}/explain',
    input: null,
    output: Explanation,
    status: 200,
    notFound: 'subscription_not_found',
    errors: [],
    summary: 'A subscription in sentences: its state, what happened, what happens next, and what to do.',
    run: ({ service, project, id }) => explainSubscription(service, project, id),
  }),
] as const;
