import * as z from 'zod';

import { operation } from '../../operations/operation.js';
import { DeliveryWithAttempts } from '../deliveries/schemas.js';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from './change-endpoints.js';
import { listEndpoints, describeEndpoint, requireEndpoint } from './read-endpoints.js';
import { recoverEndpoint } from './recover-endpoint.js';
import { resealSecrets } from './reseal-secrets.js';
import {
  EndpointTest,
  Recovered,
  RecoverInput,
  EndpointInput,
  EndpointUpdate,
  EndpointWire,
  EndpointWithSecret,
  SecretRotation,
  ResealedSecrets,
} from './schemas.js';
import { testEndpoint } from './test-endpoint.js';

export const endpointOperations = {
  /**
   * Creates an endpoint, enabled. The result is the only time that its signing secret is shown.
   *
   * Refuses with `not_found`, `invalid_request`, or `conflict` when the project has 16 endpoints or one at
   * this address.
   *
   * @example
   * const { secret } = await shop.endpoints.create({
   *   url: 'https://shop.example/webhooks',
   *   types: ['subscription.access_granted', 'subscription.access_revoked'],
   * });
   * // Give `secret` to whoever verifies the webhooks.
   */
  create: operation<(input: EndpointInput) => Promise<EndpointWithSecret>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints',
    input: EndpointInput,
    output: EndpointWithSecret,
    status: 201,
    errors: ['conflict'],
    summary: 'Creates a webhook endpoint, enabled. The result shows its signing secret.',
    run: ({ service, project, input }) => createEndpoint(service, project, input),
  }),
  /**
   * Lists a project's endpoints, newest first. `can_sign` is false for one whose secret the sealing key does
   * not open: it gets no webhook until the service starts with the right key, or the secret is rotated
   * without an overlap. Refuses with `not_found`.
   *
   * @example
   * const failing = (await shop.endpoints.list()).filter(({ failing_since }) => failing_since !== null);
   */
  list: operation<() => Promise<readonly EndpointWire[]>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/endpoints',
    output: z.array(EndpointWire).readonly(),
    summary: "A project's webhook endpoints, newest first.",
    run: ({ service, project }) => listEndpoints(service, project),
  }),
  /**
   * Reads one endpoint. Refuses with `not_found`.
   *
   * @example
   * const { enabled, disabled_reason } = await shop.endpoints.retrieve(endpointId);
   */
  retrieve: operation<(id: string) => Promise<EndpointWire>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/endpoints/{id}',
    output: EndpointWire,
    notFound: 'not_found',
    summary: 'One webhook endpoint.',
    run: async ({ service, project, id }) =>
      describeEndpoint(service, await requireEndpoint(service.store, project, id)),
  }),
  /**
   * Changes which events an endpoint receives, from the next event on. Refuses with `not_found` or
   * `invalid_request`.
   *
   * @example
   * import { EventType } from '@subrail/core/schemas';
   *
   * await shop.endpoints.update(endpointId, { types: EventType.options });
   */
  update: operation<(id: string, input: EndpointUpdate) => Promise<EndpointWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}',
    input: EndpointUpdate,
    output: EndpointWire,
    notFound: 'not_found',
    summary: 'Changes which events an endpoint receives, from the next event on.',
    run: ({ service, project, id, input }) => updateEndpoint(service, project, id, input),
  }),
  /**
   * Enables an endpoint again, and counts anew the three days of failures that disable it. Events of the time
   * between are sent only when you `recover` them. Refuses with `not_found`.
   *
   * @example
   * await shop.endpoints.enable(endpointId);
   */
  enable: operation<(id: string) => Promise<EndpointWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/enable',
    output: EndpointWire,
    notFound: 'not_found',
    summary:
      'Enables an endpoint again. Events from while it was disabled are not sent, unless they are recovered.',
    run: ({ service, project, id }) => enableEndpoint(service, project, id),
  }),
  /**
   * Disables an endpoint, with `disabled_reason` null: only the service gives a reason. Its pending
   * deliveries fail. Refuses with `not_found`.
   *
   * @example
   * await shop.endpoints.disable(endpointId);
   */
  disable: operation<(id: string) => Promise<EndpointWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/disable',
    output: EndpointWire,
    notFound: 'not_found',
    summary: 'Disables an endpoint. Its pending deliveries fail.',
    run: ({ service, project, id }) => disableEndpoint(service, project, id),
  }),
  /**
   * Deletes an endpoint for good. Its pending deliveries fail, its address is free for another endpoint, and
   * past deliveries stay in the list. Refuses with `not_found`.
   *
   * @example
   * await shop.endpoints.delete(endpointId);
   */
  delete: operation<(id: string) => Promise<void>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/delete',
    output: z.void(),
    notFound: 'not_found',
    summary: 'Deletes an endpoint for good. Its pending deliveries fail.',
    run: ({ service, project, id }) => deleteEndpoint(service, project, id),
  }),
  /**
   * Sends a test delivery to an endpoint, and resolves after its only attempt, within ten seconds. The body
   * is like that of an event, about the fictitious subscription `sub_test`, with `test: true` and without
   * `sequence`. `type` is `test` (the default) or a type that the endpoint selects. A test that fails is not
   * repeated, and never disables the endpoint.
   *
   * Refuses with `not_found`, `invalid_request`, `conflict` when the endpoint is disabled or another test is
   * being sent, or `rate_limited` past five a minute.
   *
   * @example
   * const { state, log } = await shop.endpoints.test(endpointId);
   * console.log(state, log[0]?.status, log[0]?.duration_ms, log[0]?.excerpt);
   */
  test: operation<(id: string, input?: EndpointTest) => Promise<DeliveryWithAttempts>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/test',
    input: EndpointTest.prefault({}),
    output: DeliveryWithAttempts,
    notFound: 'not_found',
    errors: ['conflict', 'rate_limited'],
    summary: 'Sends one test delivery to an endpoint, and answers once its only attempt ended.',
    run: ({ service, project, id, input }) => testEndpoint(service, project, id, input),
  }),
  /**
   * Sends the events that an endpoint missed from a date on, such as those from while it was disabled: events
   * of the types it selects whose delivery failed or is absent. `since` is compared with the dates of the
   * events, which are available for 30 days. Refuses with `not_found`, `invalid_request`, or `conflict` when
   * the endpoint is disabled.
   *
   * @example
   * await shop.endpoints.enable(endpointId);
   * const { recovered } = await shop.endpoints.recover(endpointId, { since: '2026-10-02T08:30:00Z' });
   */
  recover: operation<(id: string, input: RecoverInput) => Promise<Recovered>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/recover',
    input: RecoverInput,
    output: Recovered,
    notFound: 'not_found',
    errors: ['conflict'],
    summary: 'Sends the events that an endpoint missed since a date.',
    run: ({ service, project, id, input }) => recoverEndpoint(service, project, id, input),
  }),
  /**
   * Replaces the signing secret and shows the new one. Deliveries are signed with both for `overlap_hours` (0
   * to 24, 0 when absent), so that receivers can change their secret without refusing a delivery. With 0,
   * every earlier secret is dropped at once, also during an overlap: use it when the old one has leaked.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { secret } = await shop.endpoints.rotateSecret(endpointId, { overlap_hours: 24 });
   */
  rotateSecret: operation<(id: string, input?: SecretRotation) => Promise<EndpointWithSecret>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/endpoints/{id}/secret',
    input: SecretRotation.prefault({}),
    output: EndpointWithSecret,
    notFound: 'not_found',
    summary: 'Replaces the signing secret and shows the new one. The old one signs too for overlap_hours.',
    run: ({ service, project, id, input }) => rotateSecret(service, project, id, input),
  }),
};

export const secretOperations = {
  /**
   * Seals every stored signing secret with the newest sealing key, so that the older ones can be left out.
   * Every host must have the newest key before. Hosts may run meanwhile: a secret that is rotated at the same
   * time is left as it is then. Repeat it when it was interrupted, as often as you like.
   *
   * Answers how many endpoints were sealed anew, how many had the newest key already, which have a secret
   * that opens with none of the keys, and which cannot be read from the store. The last two stay as they are,
   * and may need an older key still.
   *
   * @example
   * const { resealed, unchanged, not_opened, unreadable } = await billing.secrets.reseal();
   * console.log(`${resealed} sealed anew, ${unchanged} as they were.`);
   * for (const { endpoint } of not_opened) console.log(`Rotate the secret of ${endpoint}.`);
   * for (const endpoint of unreadable) console.log(`The row of ${endpoint} is damaged.`);
   */
  reseal: operation<() => Promise<ResealedSecrets>>()({
    method: 'POST',
    path: '/manage/v1/secrets/reseal',
    output: ResealedSecrets,
    summary: 'Seals every stored signing secret with the newest sealing key.',
    run: ({ service }) => resealSecrets(service),
  }),
};
