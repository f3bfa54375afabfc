import type { StandardSchemaV1 } from '@standard-schema/spec';
import { signature } from '../signing.js';
import { whyNotSigned } from './changed-body.js';
import { signingKeysOf } from './read-signing-secrets.js';
import { webCrypto } from './web-crypto.js';
import { WebhookError, type WebhookRefusal } from './webhook-error.js';
import { isWebhookEvent, type WebhookEvent } from './webhook-event.js';
import { headersOf, rawBody, type FetchWebhook, type RawWebhook } from './webhook-request.js';

/** How a webhook is verified. */
export interface VerifyWebhookOptions {
  /** How many seconds `webhook-timestamp` may be before or after `now`; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The receiver's time; the computer's clock by default. */
  readonly now?: Date;
}

/** A webhook that the service signed. */
export interface VerifiedWebhook<Event = WebhookEvent> {
  readonly event: Event;
  /**
   * The `webhook-id`, by which a receiver deduplicates: the service repeats a delivery under one id until it
   * gets a 2xx, whose answer may be lost. Two endpoints get one event under two ids; if both lead to this
   * receiver, deduplicate on `event.id`.
   */
  readonly webhookId: string;
  /** When this attempt was sent, by the clock of the machine that sent it, in whole seconds. */
  readonly sentAt: Date;
}

/**
 * Verifies a webhook and returns its event: the one call that a receiver needs. One valid signature by any of
 * the secrets is enough, as Standard Webhooks (https://www.standardwebhooks.com) prescribes.
 *
 * `request` is a fetch `Request`, or `{ headers, body }`: the headers of fetch or of Node, and the raw body
 * as text or bytes. `secret` is the endpoint's secret, `whsec_...`, or several, in a list or with commas
 * between, such as the new and the old one while a rotation overlaps; `readSigningSecrets` reads it at the
 * start, and refuses a wrong one. With `schema`, any Standard Schema (zod, valibot, arktype), the event is
 * the output of your schema; let it accept unknown fields and types.
 *
 * Returns `{ event, webhookId, sentAt }`. `event.type` tells which `event.detail` it has, such as the
 * `amount` of a `subscription.renewed`, a text in the smallest unit of the token.
 *
 * Throws a `WebhookError` when the webhook is refused: answer with its `status`. Its `reason` is `unsigned`,
 * `forged` or `stale`, with the status 400, or `unreadable` with 202. The message of `forged` names a parser
 * or a gateway that changed the body, when that can be told. Throws a `TypeError` when the call is wrong: no
 * secret or a wrong one, a body that was parsed or read before, a tolerance that is not a number of seconds.
 *
 * @example
 * export async function POST(request: Request): Promise<Response> {
 *   try {
 *     const { event, webhookId } = await verifyWebhook(request, secret);
 *     if (event.test !== true && (await isNew(webhookId))) {
 *       switch (event.type) {
 *         case 'subscription.renewed':
 *           await recordPayment(event.data.id, event.detail.amount);
 *           break;
 *         default: // Other types, also those of later releases.
 *       }
 *     }
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     if (!(error instanceof WebhookError)) throw error;
 *     return new Response(error.message, { status: error.status });
 *   }
 * }
 */
export async function verifyWebhook(
  request: FetchWebhook | RawWebhook,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): Promise<VerifiedWebhook>;
export async function verifyWebhook<Schema extends StandardSchemaV1>(
  request: FetchWebhook | RawWebhook,
  secret: string | readonly string[],
  options: VerifyWebhookOptions & { readonly schema: Schema },
): Promise<VerifiedWebhook<StandardSchemaV1.InferOutput<Schema>>>;
export async function verifyWebhook(
  request: FetchWebhook | RawWebhook,
  secret: string | readonly string[],
  options: VerifyWebhookOptions & { readonly schema?: StandardSchemaV1 } = {},
): Promise<VerifiedWebhook<unknown>> {
  const keys = signingKeysOf(secret);
  const { toleranceSeconds, now } = checked(options);

  const header = headersOf(request);
  const [id, timestamp, given] = SIGNATURE_HEADERS.map(header);
  const refused = (reason: WebhookRefusal, message: string) =>
    new WebhookError(reason, message, { webhookId: id });
  if (id == null || timestamp == null || given == null) {
    const missing = SIGNATURE_HEADERS.filter((name) => header(name) === null).join(', ');
    throw refused(
      'unsigned',
      `The request is not signed: it needs each of the headers webhook-id, webhook-timestamp and webhook-signature once, and ${missing} is missing or repeated.`,
    );
  }
  if (!/^[0-9]{1,12}$/.test(timestamp))
    throw refused('forged', 'The webhook-timestamp of the request is not a number of Unix seconds.');

  const body = await rawBody(request);
  const received = given.split(' ');
  const isSigned = async (sent: string | Uint8Array) => {
    const expected = await Promise.all(
      keys.map((key) => signature(webCrypto, key, { id, timestamp, body: sent })),
    );
    return expected.some((one) => received.some((other) => sameText(one, other)));
  };
  if (!(await isSigned(body))) throw refused('forged', (await whyNotSigned(body, isSigned)) ?? NOT_SIGNED);

  const sentAt = new Date(Number(timestamp) * 1_000);
  const ageSeconds = (now.getTime() - sentAt.getTime()) / 1_000;
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const distance = `${Math.ceil(Math.abs(ageSeconds))} seconds ${ageSeconds > 0 ? 'before' : 'after'}`;
    throw refused(
      'stale',
      `The request was signed ${distance} the receiver's time, and ${toleranceSeconds} are allowed: it is a replay, or a clock is wrong.`,
    );
  }
  return { event: await readEvent(id, body, options.schema), webhookId: id, sentAt };
}

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const NOT_SIGNED =
  "No signature of the request is valid. Either the service did not send it, or the secret is another endpoint's, or it was rotated, or the body is not the bytes that were sent.";

/** Refuses options that are not numbers: every comparison with them is false, and old webhooks would pass. */
function checked({ toleranceSeconds = 300, now = new Date(Date.now()) }: VerifyWebhookOptions) {
  if (!(toleranceSeconds >= 0)) {
    throw new TypeError('Expected toleranceSeconds to be a number of seconds, 0 or more.');
  }
  if (Number.isNaN(now.getTime())) throw new TypeError('Expected now to be a valid date.');
  return { toleranceSeconds, now };
}

async function readEvent(
  id: string,
  body: string | Uint8Array,
  schema: StandardSchemaV1 | undefined,
): Promise<unknown> {
  const unreadable = (why: string, issues: readonly StandardSchemaV1.Issue[] = []) =>
    new WebhookError('unreadable', `The service signed the webhook ${id}, but ${why}.`, {
      webhookId: id,
      issues,
    });
  let event: unknown;
  try {
    event = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw unreadable('its body is not JSON');
  }
  if (schema === undefined) {
    if (isWebhookEvent(event)) return event;
    throw unreadable('its body is not an event');
  }
  const result = await schema['~standard'].validate(event);
  if (result.issues === undefined) return result.value;
  const messages = result.issues.map(({ message }) => message);
  throw unreadable(`the schema of the receiver rejected it: ${messages.join('; ')}`, result.issues);
}

/** Whether two texts are equal. The time it takes does not reveal where texts of the same length differ. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
