import type { CryptoProvider } from '../ports/crypto.js';
import { secretKey, signature } from './signing.js';

/** Headers, as a fetch `Headers` object or as Node's `request.headers`. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook as it was received. */
export interface ReceivedWebhook {
  readonly headers: WebhookHeaders;
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array;
}

/** The secrets and the time that a webhook is verified with. */
export interface VerifyWebhookOptions {
  /** The endpoint's secrets, each `whsec_...`. Give the old and the new one while a rotation's overlap lasts. */
  readonly secrets: readonly string[];
  readonly now: Date;
  /** How many seconds the webhook's timestamp may be before or after `now`; 300 by default. */
  readonly toleranceSeconds?: number;
}

/**
 * The result of a verification. `genuine`: the service sent it; `id` is the `webhook-id`, which is the same on every
 * retry, so use it to deduplicate. `stale`: the signature is valid but the timestamp is too far from the receiver's
 * clock, so an attacker may be replaying an old delivery. `unsigned`: a header is missing. `forged`: no
 * signature is valid.
 */
export type VerifyWebhookResult =
  | { readonly kind: 'genuine'; readonly id: string; readonly sentAt: Date }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'forged' };

/**
 * Verifies that a webhook came from the service: one valid signature in the header, by any of the secrets, is enough.
 * Answer anything but `genuine` with 400 and do nothing. Throws when no secret, or one that is not `whsec_...`, is
 * given.
 *
 * @example
 * const verdict = await verifyWebhook(
 *   { headers: request.headers, body: await request.text() },
 *   { secrets: [secret], now: new Date() },
 *   crypto,
 * );
 */
export async function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  { secrets, now, toleranceSeconds = 300 }: VerifyWebhookOptions,
  crypto: Pick<CryptoProvider, 'mac'>,
): Promise<VerifyWebhookResult> {
  const keys = secrets.map((secret) => {
    const key = secretKey(secret);
    if (key === null)
      throw new Error(
        'Expected a signing secret of the form whsec_<base64>. Pass it as it was shown when the endpoint was made.',
      );
    return key;
  });
  if (keys.length === 0)
    throw new Error("No signing secret was given. Pass the endpoint's secret, or the old and the new one.");

  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (id === null || timestamp === null || given === null) return { kind: 'unsigned' };
  if (!/^[0-9]{1,12}$/.test(timestamp)) return { kind: 'forged' };

  const expected = await Promise.all(keys.map((key) => signature(crypto, key, { id, timestamp, body })));
  const received = given.split(' ');
  if (!expected.some((one) => received.some((other) => sameText(one, other)))) return { kind: 'forged' };

  const sentAt = new Date(Number(timestamp) * 1_000);
  const difference = Math.abs(now.getTime() - sentAt.getTime());
  return difference > toleranceSeconds * 1_000 ? { kind: 'stale' } : { kind: 'genuine', id, sentAt };
}

function header(headers: WebhookHeaders, name: string): string | null {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get' as keyof WebhookHeaders] === 'function';
}

/** Whether two texts are equal. The time it takes does not reveal where texts of the same length differ. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
