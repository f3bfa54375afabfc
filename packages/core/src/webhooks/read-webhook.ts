import type { StandardSchemaV1 } from '@standard-schema/spec';

import type { CryptoProvider } from '../ports/crypto.js';
import {
  verifyWebhook,
  type ReceivedWebhook,
  type WebhookTrust,
  type WebhookVerdict,
} from './verify-webhook.js';

type Genuine = Extract<WebhookVerdict, { kind: 'genuine' }>;

/** What came of a webhook. `unreadable` is signed by the service, and is not what the receiver's schema expects. */
export type WebhookReading<Event> =
  | (Genuine & { readonly event: Event })
  | { readonly kind: 'unreadable'; readonly issues: readonly StandardSchemaV1.Issue[] }
  | Exclude<WebhookVerdict, Genuine>;

/**
 * Verifies a webhook and reads its event with the receiver's own schema, which any library of the Standard Schema kind makes
 * (zod, valibot, arktype). Have it let unknown fields and types pass: within a version the contract grows (contract,
 * Versioning).
 *
 * Answer `forged`, `stale` and `unsigned` with 400 and do nothing. Log what is `unreadable` and answer it 2xx: it is the
 * service's own, and a schema that is too strict must not get the endpoint turned off for failing.
 *
 * @example
 * const Event = z.looseObject({ type: z.string(), data: z.looseObject({ id: z.string(), access: z.boolean() }) });
 * const reading = await readWebhook(
 *   { headers: request.headers, body: await request.text() },
 *   { secrets: [secret], now: new Date() },
 *   Event,
 *   crypto,
 * );
 */
export async function readWebhook<Schema extends StandardSchemaV1>(
  received: ReceivedWebhook,
  trust: WebhookTrust,
  schema: Schema,
  crypto: Pick<CryptoProvider, 'mac'>,
): Promise<WebhookReading<StandardSchemaV1.InferOutput<Schema>>> {
  const verdict = await verifyWebhook(received, trust, crypto);
  if (verdict.kind !== 'genuine') return verdict;
  const result = await schema['~standard'].validate(parsed(received.body));
  return result.issues === undefined
    ? { ...verdict, event: result.value }
    : { kind: 'unreadable', issues: result.issues };
}

/** A signed body that is no JSON is read as nothing, which no schema of an event takes. */
function parsed(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
