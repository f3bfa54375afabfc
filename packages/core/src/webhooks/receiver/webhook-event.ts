import type * as z from 'zod';
import type { EventType, Network } from '../../contract/enums.js';
import type { EVENT_DETAILS } from '../../contract/event-detail.js';
import type { SubscriptionWire } from '../../contract/subscription.js';

/** The fields of every event. */
interface WebhookEnvelope {
  /** `evt_...`: the same in every delivery of the event, and in `GET /v1/events`. */
  readonly id: string;
  readonly object: 'event';
  /**
   * The time of the event by the service's clock: ISO 8601 in UTC, with milliseconds. While the time of a
   * chain is moved, the webhook may be sent at a very different time.
   */
  readonly created_at: string;
  /** The chain on which it happened. */
  readonly network: Network;
  /** The version of the contract in which `data` and `detail` are written. */
  readonly api_version: string;
  /**
   * The place of the event among those of its subscription, from 1. Deliveries may arrive in any order: apply
   * an event only when its `sequence` is higher than the last that you applied. Without a sequence, and
   * unless it is a test, read the subscription instead.
   */
  readonly sequence?: number | undefined;
  /** The subscription right after the event. `access`: whether the customer may use what is paid for. */
  readonly data: SubscriptionWire;
  /** True on a delivery that a person sent to test the endpoint: answer 2xx, and change nothing. */
  readonly test?: true;
}

declare const newerType: unique symbol;

/**
 * An event of a type that this version of the package does not know, so that a `switch` over `event.type`
 * needs a default branch: the service may raise new types within a version of the contract.
 */
export interface UnknownWebhookEvent extends WebhookEnvelope {
  /**
   * A text, of a type narrower than `string`, which would overlap with the known types and keep a `switch`
   * over `event.type` from narrowing.
   */
  readonly type: `${string}.${string}` & { readonly [newerType]: true };
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A person's try of an endpoint. It may also have the type of an event; `test` is true in both. */
interface TestWebhookEvent extends WebhookEnvelope {
  readonly type: 'test';
  readonly detail: Readonly<Record<string, never>>;
  readonly test: true;
}

type KnownWebhookEvent = {
  [Type in EventType]: WebhookEnvelope & {
    readonly type: Type;
    readonly detail: z.infer<(typeof EVENT_DETAILS)[Type]>;
  };
}[EventType];

/**
 * The event of a webhook. `data` is the subscription right after the event, and `detail` is what only this
 * type has: it narrows with `type`. For a function that handles one type, write `Extract<WebhookEvent, {
 * type: 'subscription.renewed' }>`.
 *
 * Within a version the contract only grows. So keep a default branch for types, and for every enum in `data`
 * and `detail`, and ignore fields that you do not know: they are left in the event.
 */
export type WebhookEvent = KnownWebhookEvent | TestWebhookEvent | UnknownWebhookEvent;

/**
 * Whether a value has the form that all events share. What is inside `data` and `detail` is not checked: a
 * valid signature vouches for it, and a check would refuse what a later release adds.
 */
export function isWebhookEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false;
  const { object, sequence, data, detail } = value;
  return (
    object === 'event' &&
    ['id', 'type', 'created_at', 'network', 'api_version'].every((name) => typeof value[name] === 'string') &&
    (sequence === undefined || Number.isInteger(sequence)) &&
    isObject(data) &&
    typeof data['id'] === 'string' &&
    isObject(detail)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
