import type { CryptoProvider } from '../ports/crypto.js';
import type { HttpPost } from '../ports/http-sender.js';
import type { DeliveryId } from '../records/index.js';
import { signatures } from './signing.js';

/** The `User-Agent` of every delivery. Its version is this package's. */
export const USER_AGENT = 'Subrail/0.1.0';

/** The deadline of an attempt: how long an endpoint may take to respond. */
export const RESPONSE_TIMEOUT_MS = 10_000;

/** The content of one attempt, with its target and its time. */
export interface DeliveryContent {
  readonly id: DeliveryId;
  readonly url: string;
  readonly body: string;
  readonly now: Date;
}

/** Builds the request of an attempt: the stored body, and headers with its time, signed with each key. */
export async function deliveryRequest(
  crypto: Pick<CryptoProvider, 'mac'>,
  keys: readonly Uint8Array[],
  { id, url, body, now }: DeliveryContent,
): Promise<HttpPost> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  return {
    url,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await signatures(crypto, keys, { id, timestamp, body }),
    },
    body,
    timeoutMs: RESPONSE_TIMEOUT_MS,
  };
}
