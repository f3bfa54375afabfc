import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventWire } from '@subrail/core';
import { verifyWebhook } from '@subrail/core/webhooks';

const crypto = {
  mac: async (key: Uint8Array, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', key).update(data).digest()),
};

/** Records the access of each subscription from webhooks. With a database, make `apply` one transaction. */
export class AccessRecords {
  readonly #processed = new Set<string>();
  readonly #sequence = new Map<string, number>();
  /** Whether a subscription gives access, by its id. */
  readonly access = new Map<string, boolean>();

  apply(webhookId: string, { sequence, data }: Pick<EventWire, 'sequence' | 'data'>): void {
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
  secret: string,
  now: Date,
  records: AccessRecords,
): Promise<Response> {
  const body = await request.text();
  const result = await verifyWebhook({ headers: request.headers, body }, { secrets: [secret], now }, crypto);
  if (result.kind !== 'genuine') return new Response(null, { status: 400 });
  records.apply(result.id, JSON.parse(body) as EventWire);
  return new Response(null, { status: 204 });
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
