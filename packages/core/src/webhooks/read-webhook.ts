import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CryptoProvider } from '../ports/crypto.js';
import {
  verifyWebhook,
  type ReceivedWebhook,
  type VerifyWebhookOptions,
  type VerifyWebhookResult,
} from './verify-webhook.js';

type Genuine = Extract<VerifyWebhookResult, { kind: 'genuine' }>;

/**
 * The result of reading a webhook. `genuine` carries the event that the receiver's schema parsed. `unreadable`: the
 * service signed it, but the schema rejected it, for the reasons in `issues`. The other kinds are those of
 * `verifyWebhook`.
 */
export type ReadWebhookResult<Payload> =
  | (Genuine & { readonly event: Payload })
  | { readonly kind: 'unreadable'; readonly issues: readonly StandardSchemaV1.Issue[] }
  | Exclude<VerifyWebhookResult, Genuine>;

/**
 * Verifies a webhook and parses its event with the receiver's own schema. Any Standard Schema library works (zod,
 * valibot, arktype). Let the schema accept unknown fields and event types: within a version the contract may add some.
 *
 * Answer `forged`, `stale` and `unsigned` with 400 and do nothing. Log an `unreadable` webhook and answer it with 2xx:
 * it comes from the service, and a schema that is too strict must not get the endpoint disabled as failing.
 *
 * @example
 * const Payload = z.looseObject({ type: z.string(), data: z.looseObject({ id: z.string(), access: z.boolean() }) });
 * const reading = await readWebhook(
 *   { headers: request.headers, body: await request.text() },
 *   { secrets: [secret], now: new Date() },
 *   Payload,
 *   crypto,
 * );
 */
export async function readWebhook<Schema extends StandardSchemaV1>(
  received: ReceivedWebhook,
  options: VerifyWebhookOptions,
  schema: Schema,
  crypto: Pick<CryptoProvider, 'mac'>,
): Promise<ReadWebhookResult<StandardSchemaV1.InferOutput<Schema>>> {
  const verdict = await verifyWebhook(received, options, crypto);
  if (verdict.kind !== 'genuine') return verdict;
  const result = await schema['~standard'].validate(parsed(received.body));
  return result.issues === undefined
    ? { ...verdict, event: result.value }
    : { kind: 'unreadable', issues: result.issues };
}

/** Returns undefined for a body that is not JSON, which no schema of an event accepts. */
function parsed(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
