import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  verifyWebhook,
  WebhookError,
  type VerifyWebhookOptions,
  type WebhookEvent,
} from '@subrail/core/webhooks';

/** Records the access of each subscription from webhooks. With a database, make `apply` one transaction. */
export class AccessRecords {
  readonly #processed = new Set<string>();
  readonly #sequence = new Map<string, number>();
  /** Whether a subscription gives access, by its id. */
  readonly access = new Map<string, boolean>();

  apply(webhookId: string, { sequence, data }: Pick<WebhookEvent, 'sequence' | 'data'>): void {
    if (this.#processed.has(webhookId)) return;
    this.#processed.add(webhookId);
    // Deliveries may arrive in any order. Each has the whole subscription, so an older one is ignored.
    if (sequence === undefined || sequence <= (this.#sequence.get(data.id) ?? 0)) return;
    this.#sequence.set(data.id, sequence);
    this.access.set(data.id, data.access);
  }
}

/** Verifies a webhook and applies it. */
export async function receive(
  request: Request,
  secret: string | readonly string[],
  records: AccessRecords,
  options?: VerifyWebhookOptions,
): Promise<Response> {
  try {
    const { event, webhookId } = await verifyWebhook(request, secret, options);
    records.apply(webhookId, event);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return new Response(error.message, { status: error.status });
  }
}

/** What happened, in words. TypeScript knows the detail of a type once you have compared it. */
export function describeEvent(event: WebhookEvent): string {
  if (event.type === 'subscription.renewed') {
    return `paid ${event.detail.amount} until ${event.detail.period_end}`;
  }
  if (event.type === 'subscription.payment_failed') {
    return `not paid (${event.detail.reason}), ${event.detail.retries_left} retries left`;
  }
  // All others, also types that are added within a version.
  return `${event.type}: ${event.data.status}`;
}

/** Verifies a webhook without the library. */
export function isValidWebhook(headers: Headers, body: string, secret: string, now: Date): boolean {
  const [id, sentAt] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  // During a rotation of the secret there are two signatures: one valid signature is enough.
  const valid = (headers.get('webhook-signature') ?? '').split(' ').some((entry) => {
    const signature = Buffer.from(entry.replace(/^v1,/, ''), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  return valid && Math.abs(now.getTime() / 1000 - Number(sentAt)) <= 300;
}
