import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * Why a webhook was refused. `unsigned`: it lacks a header. `forged`: no signature is valid. `stale`: the
 * signature is valid, but the timestamp is too far from the receiver's clock, so it may be a replay.
 * `unreadable`: the signature is valid, but the body is no event, or the receiver's schema rejects it.
 */
export type WebhookRefusal = 'unsigned' | 'forged' | 'stale' | 'unreadable';

/**
 * Thrown by `verifyWebhook`. Answer the request with `status` and do nothing else with it; `message` is a
 * sentence for your log, without secrets.
 *
 * `unreadable` is the one reason to answer with 2xx: another attempt would bring the same bytes, and an
 * endpoint that keeps refusing is disabled. Log it, correct the receiver, and get the event with `GET
 * /v1/events`.
 */
export class WebhookError extends Error {
  /** The HTTP status to answer with: 202 when `unreadable`, else 400. */
  readonly status: 202 | 400;
  /**
   * The `webhook-id`, or null without that header. Anyone may have written the id of an `unsigned` or
   * `forged` webhook: log it, and do not take that delivery for received.
   */
  readonly webhookId: string | null;
  /** The issues that the receiver's schema found; empty for every other cause. */
  readonly issues: readonly StandardSchemaV1.Issue[];

  constructor(
    readonly reason: WebhookRefusal,
    message: string,
    more: {
      readonly webhookId?: string | null | undefined;
      readonly issues?: readonly StandardSchemaV1.Issue[];
    } = {},
  ) {
    super(message);
    this.name = 'WebhookError';
    this.status = reason === 'unreadable' ? 202 : 400;
    this.webhookId = more.webhookId ?? null;
    this.issues = more.issues ?? [];
  }
}
