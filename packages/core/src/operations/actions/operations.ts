import { BuildAnswer } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { ConfirmBody } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { CANCEL, cancelSubscription } from './cancel.js';
import { CLOSE, closeSubscription } from './close.js';
import { confirmAction } from './confirm-action.js';
import { RESUME, resumeSubscription } from './resume.js';

/**
 * Actions: what a subscriber's wallet does to a subscription. Each is built, signed and sent by the wallet, and
 * confirmed.
 */
export const actionOperations = [
  operation({
    name: 'subscriptions.cancel',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/cancel',
    limit: 'write',
    input: null,
    output: BuildAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_active',
      'subscription_cancelled',
      'subscription_not_on_chain',
      'subscription_changed',
      'network_unavailable',
    ],
    summary:
      'Builds the cancellation for the wallet to sign and send. Nothing changes until it is confirmed.',
    run: ({ service, project, id }) => cancelSubscription(service, project, id),
  }),
  operation({
    name: 'subscriptions.confirmCancel',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/cancel/confirm',
    limit: 'write',
    input: ConfirmBody,
    output: Confirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: ['subscription_not_active', 'nothing_to_confirm', 'subscription_changed', 'network_unavailable'],
    summary: 'Confirms the cancellation that was sent.',
    run: ({ service, project, id, input }) => confirmAction(service, project, id, input, CANCEL),
  }),
  operation({
    name: 'subscriptions.resume',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/resume',
    limit: 'write',
    input: null,
    output: BuildAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_cancelled',
      'subscription_ended',
      'already_subscribed',
      'plan_removed',
      'plan_replaced',
      'subscription_not_on_chain',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Builds the undo of a cancellation before its end, for the wallet to sign and send.',
    run: ({ service, project, id }) => resumeSubscription(service, project, id),
  }),
  operation({
    name: 'subscriptions.confirmResume',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/resume/confirm',
    limit: 'write',
    input: ConfirmBody,
    output: Confirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_cancelled',
      'subscription_ended',
      'nothing_to_confirm',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Confirms the resume that was sent.',
    run: ({ service, project, id, input }) => confirmAction(service, project, id, input, RESUME),
  }),
  operation({
    name: 'subscriptions.close',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/close',
    limit: 'write',
    input: null,
    output: BuildAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_cancelled',
      'close_too_early',
      'subscription_not_on_chain',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Builds the closing of a subscription whose end has passed; the wallet gets its deposit back.',
    run: ({ service, project, id }) => closeSubscription(service, project, id),
  }),
  operation({
    name: 'subscriptions.confirmClose',
    scope: 'project',
    method: 'POST',
    path: '/v1/subscriptions/{id}/close/confirm',
    limit: 'write',
    input: ConfirmBody,
    output: Confirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_cancelled',
      'subscription_not_on_chain',
      'nothing_to_confirm',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Confirms the close that was sent.',
    run: ({ service, project, id, input }) => confirmAction(service, project, id, input, CLOSE),
  }),
] as const;
