import { z } from 'zod';

import { AccessAnswer, AccessList } from '../contract/access.js';
import { AttemptPage } from '../contract/attempt.js';
import { CreateAnswer } from '../contract/build.js';
import { Confirmation } from '../contract/confirmation.js';
import type { ErrorCode } from '../contract/errors.js';
import { EventPage, EventWire, EventsQuery } from '../contract/event.js';
import { SubscriptionPage } from '../contract/page.js';
import { PlanList, PlanWire } from '../contract/plan.js';
import { ProjectWire } from '../contract/project.js';
import {
  AccessQuery,
  AttemptsQuery,
  CreateBody,
  Nothing,
  SubmitBody,
  SubscriptionsQuery,
} from '../contract/requests.js';
import { SubscriptionWire } from '../contract/subscription.js';
import { checkAccess } from '../operations/access.js';
import { listEvents, retrieveEvent } from '../operations/events.js';
import { listPlans, retrievePlan } from '../operations/plans-read.js';
import { projectWire } from '../operations/projects.js';
import { listAttempts } from '../operations/subscriptions/attempts.js';
import { createSubscription } from '../operations/subscriptions/create.js';
import { listSubscriptions } from '../operations/subscriptions/list.js';
import { retrieveSubscription } from '../operations/subscriptions/retrieve.js';
import { submitSubscription } from '../operations/subscriptions/submit.js';
import { freshTransaction } from '../operations/subscriptions/transaction.js';
import { route, type Route } from './route.js';

const COMEBACK: readonly ErrorCode[] = ['comeback_landed', 'comeback_in_flight', 'comeback_period_rolling'];

/** What may stand against building the transaction of a checkout (D4, create and transaction). */
const CHECKOUT: readonly ErrorCode[] = [
  'plan_removed',
  'plan_replaced',
  'plan_mismatch',
  'plan_ended',
  'plan_sunset',
  'receiver_account_missing',
  'insufficient_balance',
  'seat_cap_reached',
  ...COMEBACK,
  'network_unavailable',
];

/** Every route of the contract, in its order (contract, Endpoints; codes by D4). */
export const ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/access',
    rate: 'read',
    query: AccessQuery,
    body: null,
    status: 200,
    answer: z.union([AccessAnswer, AccessList]),
    missing: null,
    errors: ['plan_not_found'],
    operation: ({ service, project, query }) => checkAccess(service, project, query),
  }),
  route({
    method: 'GET',
    path: '/v1/project',
    rate: 'read',
    query: Nothing,
    body: null,
    status: 200,
    answer: ProjectWire,
    missing: null,
    errors: [],
    operation: async ({ service, project }) => projectWire(service, project),
  }),
  route({
    method: 'GET',
    path: '/v1/plans',
    rate: 'read',
    query: Nothing,
    body: null,
    status: 200,
    answer: PlanList,
    missing: null,
    errors: [],
    operation: ({ service, project }) => listPlans(service, project),
  }),
  route({
    method: 'GET',
    path: '/v1/plans/{slug}',
    rate: 'read',
    query: Nothing,
    body: null,
    status: 200,
    answer: PlanWire,
    missing: 'plan_not_found',
    errors: [],
    operation: ({ service, project, named }) => retrievePlan(service, project, named),
  }),
  route({
    method: 'POST',
    path: '/v1/subscriptions',
    rate: 'write',
    query: Nothing,
    body: CreateBody,
    status: 201,
    answer: CreateAnswer,
    missing: null,
    errors: [
      'plan_not_found',
      'plan_not_on_chain',
      'mint_not_on_chain',
      ...CHECKOUT,
      'already_subscribed',
      'payment_pending',
      'subscription_cancelled',
      'subscription_stopped',
      'subscription_terms_changed',
      'pending_cap_reached',
      'subscription_changed',
    ],
    operation: ({ service, project, body }) => createSubscription(service, project, body),
  }),
  route({
    method: 'POST',
    path: '/v1/subscriptions/{id}/transaction',
    rate: 'write',
    query: Nothing,
    body: null,
    status: 201,
    answer: CreateAnswer,
    missing: 'subscription_not_found',
    errors: ['not_awaiting_signature', ...CHECKOUT],
    operation: ({ service, project, named }) => freshTransaction(service, project, named),
  }),
  route({
    method: 'POST',
    path: '/v1/subscriptions/{id}/submit',
    rate: 'write',
    query: Nothing,
    body: SubmitBody,
    status: 201,
    answer: Confirmation,
    missing: 'subscription_not_found',
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
    operation: ({ service, project, named, body }) => submitSubscription(service, project, named, body),
  }),
  route({
    method: 'GET',
    path: '/v1/subscriptions',
    rate: 'read',
    query: SubscriptionsQuery,
    body: null,
    status: 200,
    answer: SubscriptionPage,
    missing: null,
    errors: ['plan_not_found'],
    operation: ({ service, project, query }) => listSubscriptions(service, project, query),
  }),
  route({
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    rate: 'read',
    query: Nothing,
    body: null,
    status: 200,
    answer: SubscriptionWire,
    missing: 'subscription_not_found',
    errors: [],
    operation: ({ service, project, named }) => retrieveSubscription(service, project, named),
  }),
  route({
    method: 'GET',
    path: '/v1/subscriptions/{id}/attempts',
    rate: 'read',
    query: AttemptsQuery,
    body: null,
    status: 200,
    answer: AttemptPage,
    missing: 'subscription_not_found',
    errors: [],
    operation: ({ service, project, named, query }) => listAttempts(service, project, named, query),
  }),
  route({
    method: 'GET',
    path: '/v1/events',
    rate: 'read',
    query: EventsQuery,
    body: null,
    status: 200,
    answer: EventPage,
    missing: null,
    errors: [],
    operation: ({ service, project, query }) => listEvents(service, project, query),
  }),
  route({
    method: 'GET',
    path: '/v1/events/{id}',
    rate: 'read',
    query: Nothing,
    body: null,
    status: 200,
    answer: EventWire,
    missing: 'event_not_found',
    errors: [],
    operation: ({ service, project, named }) => retrieveEvent(service, project, named),
  }),
];
