import type { CryptoProvider } from '../ports/crypto.js';
import { secretKey } from './secret.js';
import { signature } from './signature.js';

/** Headers as a fetch `Headers` or as Node's `request.headers` have them. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  readonly headers: WebhookHeaders;
  /** The raw body: verify it before parsing it. */
  readonly body: string | Uint8Array;
}

/** What a receiver holds it against. */
export interface WebhookTrust {
  /** The endpoint's secrets, each `whsec_...`. During an overlap the old one or the new one is enough. */
  readonly secrets: readonly string[];
  readonly now: Date;
  /** How far its time may be from `now`, either way; 300 seconds when absent. */
  readonly toleranceSeconds?: number;
}

/**
 * `genuine` carries the `webhook-id`: the same on every retry, so what was handled once is known by it. Of the rest,
 * `stale` is signed well but too far from the receiver's clock, and may be an old delivery sent again by a stranger.
 */
export type WebhookVerdict =
  | { readonly kind: 'genuine'; readonly id: string; readonly sentAt: Date }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'forged' };

/**
 * Whether a webhook came from the service (contract, Delivery): any signature of the header by any of the secrets makes it
 * genuine. Answer anything but `genuine` with 400 and do nothing. Throws when no secret of the form `whsec_...` is given.
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
  { secrets, now, toleranceSeconds = 300 }: WebhookTrust,
  crypto: Pick<CryptoProvider, 'mac'>,
): Promise<WebhookVerdict> {
  const keys = secrets.map((secret) => {
    const key = secretKey(secret);
    if (key === null) throw new Error('A signing secret has the form whsec_<base64>.');
    return key;
  });
  if (keys.length === 0) throw new Error('No signing secret was given.');

  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const given = header(headers, 'webhook-signature');
  if (id === null || timestamp === null || given === null) return { kind: 'unsigned' };
  if (!/^[0-9]{1,12}$/.test(timestamp)) return { kind: 'forged' };

  const expected = await Promise.all(keys.map((key) => signature(crypto, key, { id, timestamp, body })));
  const offered = given.split(' ');
  if (!expected.some((one) => offered.some((other) => sameText(one, other)))) return { kind: 'forged' };

  const sentAt = new Date(Number(timestamp) * 1_000);
  const apart = Math.abs(now.getTime() - sentAt.getTime());
  return apart > toleranceSeconds * 1_000 ? { kind: 'stale' } : { kind: 'genuine', id, sentAt };
}

function header(headers: WebhookHeaders, name: string): string | null {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get' as keyof WebhookHeaders] === 'function';
}

/** Compares in a time that tells nothing of where two texts of one length differ. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
