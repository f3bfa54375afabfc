import { BuildAnswer } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { ConfirmBody } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { CANCEL, cancelSubscription } from './cancel.js';
import { CLOSE, closeSubscription } from './close.js';
import { confirmAction } from './confirm-action.js';
import { RESUME, resumeSubscription } from './resume.js';

export const actionOperations = {
  /**
   * Builds the cancellation (base64) for the wallet to sign and send. Nothing changes until `confirmCancel`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_active`, `subscription_cancelled`,
   * `change_in_flight`, `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.subscriptions.cancel(id);
   */
  cancel: operation<(id: string) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/cancel',
    output: BuildAnswer,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_active',
      'subscription_cancelled',
      'change_in_flight',
      'subscription_not_on_chain',
      'subscription_changed',
      'network_unavailable',
    ],
    summary:
      'Builds the cancellation for the wallet to sign and send. Nothing changes until it is confirmed.',
    run: ({ service, project, id }) => cancelSubscription(service, project, id),
  }),
  /**
   * Confirms the cancellation that was sent, by its `signature` (base58). The call waits up to 90 seconds for
   * the chain; when nothing is settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_active`,
   * `change_in_flight`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmCancel(id, { signature });
   */
  confirmCancel: operation<(id: string, input: ConfirmBody) => Promise<Confirmation>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/cancel/confirm',
    input: ConfirmBody,
    output: Confirmation,
    status: 201,
    notFound: 'subscription_not_found',
    errors: [
      'subscription_not_active',
      'change_in_flight',
      'nothing_to_confirm',
      'subscription_changed',
      'network_unavailable',
    ],
    summary: 'Confirms the cancellation that was sent.',
    run: ({ service, project, id, input }) => confirmAction(service, project, id, input, CANCEL),
  }),
  /**
   * Builds the undo of a cancellation (base64) for the wallet to sign and send, until the paid period ends.
   * Nothing changes until `confirmResume`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `subscription_ended`,
   * `already_subscribed`, `plan_removed`, `plan_replaced`, `subscription_not_on_chain`,
   * `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.subscriptions.resume(id);
   */
  resume: operation<(id: string) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/resume',
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
  /**
   * Confirms the resume that was sent, by its `signature` (base58). The call waits up to 90 seconds for the
   * chain; when nothing is settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_ended`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmResume(id, { signature });
   */
  confirmResume: operation<(id: string, input: ConfirmBody) => Promise<Confirmation>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/resume/confirm',
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
  /**
   * Builds the closing of a cancelled subscription whose end has passed (base64), for the wallet to sign and
   * send; the wallet gets its deposit back. Nothing changes until `confirmClose`.
   *
   * Refuses with `not_found`, `subscription_not_found`, `subscription_not_cancelled`, `close_too_early`,
   * `subscription_not_on_chain`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { closable } = await shop.subscriptions.retrieve(id);
   * if (closable) console.log((await shop.subscriptions.close(id)).transaction);
   */
  close: operation<(id: string) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/close',
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
  /**
   * Confirms the close that was sent, by its `signature` (base58). The call waits up to 90 seconds for the
   * chain; when nothing is settled, `reason_code` says why.
   *
   * Refuses with `not_found`, `invalid_request`, `subscription_not_found`, `subscription_not_cancelled`,
   * `subscription_not_on_chain`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   *
   * @example
   * const { signature } = (await request.json()) as { signature: string };
   * const { subscription } = await shop.subscriptions.confirmClose(id, { signature });
   */
  confirmClose: operation<(id: string, input: ConfirmBody) => Promise<Confirmation>>()({
    method: 'POST',
    path: '/v1/subscriptions/{id}/close/confirm',
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
};
