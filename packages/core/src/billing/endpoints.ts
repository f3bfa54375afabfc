import type { DeliveryWithAttempts, EndpointTest, Recovered, RecoverInput } from '../contract/delivery.js';
import type {
  EndpointInput,
  EndpointUpdate,
  EndpointWire,
  EndpointWithSecret,
  SecretRotation,
} from '../contract/endpoint.js';

/** Webhook endpoints: where the events of a project are sent. An unknown endpoint is refused with `not_found`. */
export interface EndpointFunctions {
  /**
   * Creates an endpoint, enabled. The result is the only time that its signing secret is shown.
   *
   * Refuses with `not_found`, `invalid_request`, or `conflict` when the project has 16 endpoints or one at this address.
   *
   * @example
   * const { secret } = await shop.endpoints.create({
   *   url: 'https://shop.example/webhooks',
   *   types: ['subscription.access_granted', 'subscription.access_revoked'],
   * });
   * // Give `secret` to whoever verifies the webhooks.
   */
  create(input: EndpointInput): Promise<EndpointWithSecret>;
  /**
   * Lists a project's endpoints, newest first. `can_sign` is false for one whose secret the sealing key does not open: it
   * gets no webhook until the service starts with the right key, or the secret is rotated without an overlap. Refuses with `not_found`.
   *
   * @example
   * const failing = (await shop.endpoints.list()).filter(({ failing_since }) => failing_since !== null);
   */
  list(): Promise<readonly EndpointWire[]>;
  /**
   * Reads one endpoint. Refuses with `not_found`.
   *
   * @example
   * const { enabled, disabled_reason } = await shop.endpoints.retrieve(endpointId);
   */
  retrieve(id: string): Promise<EndpointWire>;
  /**
   * Changes which events an endpoint receives, from the next event on. Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * import { EventType } from '@subrail/core/schemas';
   *
   * await shop.endpoints.update(endpointId, { types: EventType.options });
   */
  update(id: string, input: EndpointUpdate): Promise<EndpointWire>;
  /**
   * Enables an endpoint again, and starts the count of the three days anew, after which one that fails is disabled. Events from while it was disabled are not sent, unless you `recover` them. Refuses with
   * `not_found`.
   *
   * @example
   * await shop.endpoints.enable(endpointId);
   */
  enable(id: string): Promise<EndpointWire>;
  /**
   * Disables an endpoint, with `disabled_reason` null: only the service gives a reason. Its pending deliveries fail. Refuses with `not_found`.
   *
   * @example
   * await shop.endpoints.disable(endpointId);
   */
  disable(id: string): Promise<EndpointWire>;
  /**
   * Deletes an endpoint for good. Its pending deliveries fail, its address is free for another endpoint, and what was sent to
   * it stays in the list of deliveries. Refuses with `not_found`.
   *
   * @example
   * await shop.endpoints.delete(endpointId);
   */
  delete(id: string): Promise<void>;
  /**
   * Sends one test delivery to an endpoint, and resolves once its only attempt ended, after ten seconds at most. Its body is like
   * that of an event, about the fictitious subscription `sub_test`, with `test: true` and without `sequence`. `type` is
   * `test` (the default) or a type that the endpoint selects. A test that fails is not repeated, and never disables the endpoint.
   *
   * Refuses with `not_found`, `invalid_request`, `conflict` when the endpoint is disabled or another test is being sent, or
   * `rate_limited` past five a minute.
   *
   * @example
   * const { state, log } = await shop.endpoints.test(endpointId);
   * console.log(state, log[0]?.status, log[0]?.duration_ms, log[0]?.excerpt);
   */
  test(id: string, input?: EndpointTest): Promise<DeliveryWithAttempts>;
  /**
   * Sends the events that an endpoint missed from a date on, such as those from while it was disabled: events of the types it
   * selects whose delivery failed, and those without one. What was delivered, or is still being tried, is left as it is. `since` is compared with when the events
   * happened. Events
   * are available for 30 days. Refuses with `not_found`, `invalid_request`, or `conflict` when the endpoint is disabled.
   *
   * @example
   * await shop.endpoints.enable(endpointId);
   * const { recovered } = await shop.endpoints.recover(endpointId, { since: '2026-10-02T08:30:00Z' });
   */
  recover(id: string, input: RecoverInput): Promise<Recovered>;
  /**
   * Replaces the signing secret and shows the new one. Deliveries are signed with both for `overlap_hours` (0 to 24, 0 when
   * absent), so that receivers can change their secret without refusing a delivery. With 0, every earlier secret is dropped at
   * once, also during an overlap: do that when the old one has leaked.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * const { secret } = await shop.endpoints.rotateSecret(endpointId, { overlap_hours: 24 });
   */
  rotateSecret(id: string, input?: SecretRotation): Promise<EndpointWithSecret>;
}
