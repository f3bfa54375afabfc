import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventWire } from '@subrail/core';
import { verifyWebhook } from '@subrail/core/webhooks';

const crypto = {
  mac: async (key: Uint8Array, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', key).update(data).digest()),
};

/** What webhooks told. In a database `apply` is one transaction, so that nothing is taken and then forgotten. */
export class Told {
  readonly #taken = new Set<string>();
  readonly #sequence = new Map<string, number>();
  /** Whether a subscription gives access, by its id. */
  readonly access = new Map<string, boolean>();

  apply(webhookId: string, { sequence, data }: Pick<EventWire, 'sequence' | 'data'>): void {
    if (this.#taken.has(webhookId)) return;
    this.#taken.add(webhookId);
    // Deliveries overtake each other. Each tells the whole subscription, so an older one has nothing to add.
    if (sequence === undefined || sequence <= (this.#sequence.get(data.id) ?? 0)) return;
    this.#sequence.set(data.id, sequence);
    this.access.set(data.id, data.access);
  }
}

export async function receive(request: Request, secret: string, now: Date, told: Told): Promise<Response> {
  const body = await request.text();
  const verdict = await verifyWebhook({ headers: request.headers, body }, { secrets: [secret], now }, crypto);
  if (verdict.kind !== 'genuine') return new Response(null, { status: 400 });
  told.apply(verdict.id, JSON.parse(body) as EventWire);
  return new Response(null, { status: 204 });
}

export function genuineByHand(headers: Headers, body: string, secret: string, now: Date): boolean {
  const [id, sentAt] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const ours = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  // While a secret is being replaced there are two signatures: one that is right is enough.
  const signed = (headers.get('webhook-signature') ?? '').split(' ').some((offered) => {
    const theirs = Buffer.from(offered.replace(/^v1,/, ''), 'base64');
    return theirs.length === ours.length && timingSafeEqual(theirs, ours);
  });
  return signed && Math.abs(now.getTime() / 1000 - Number(sentAt)) <= 300;
}
