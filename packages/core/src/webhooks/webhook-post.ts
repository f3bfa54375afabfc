import type { CryptoProvider } from '../ports/crypto.js';
import type { HttpPost } from '../ports/http-sender.js';
import type { DeliveryId, Endpoint } from '../records/index.js';
import { liveSecrets, openSecret } from './secret.js';
import { signatures } from './signature.js';
import { USER_AGENT } from './user-agent.js';

/** Contract, Delivery: how long an endpoint has to answer. */
export const ANSWER_WITHIN_MS = 10_000;

/**
 * One attempt of a delivery (contract, Delivery): the body as it is stored, and headers with this attempt's time, signed by every
 * secret of the endpoint that is live at that time. Throws when a secret cannot be opened.
 */
export async function webhookPost(
  crypto: CryptoProvider,
  id: DeliveryId,
  endpoint: Endpoint,
  body: string,
  now: Date,
): Promise<HttpPost> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const secrets = liveSecrets(endpoint.secrets, now);
  const keys = await Promise.all(secrets.map((secret) => openSecret(crypto, secret)));
  return {
    url: endpoint.url,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await signatures(crypto, keys, { id, timestamp, body }),
    },
    body,
    timeoutMs: ANSWER_WITHIN_MS,
  };
}
