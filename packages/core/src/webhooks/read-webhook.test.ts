import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readWebhook } from './read-webhook.js';
import { signature } from './signing.js';
import { webCrypto } from './tests/web-crypto.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const KEY = new Uint8Array(24).fill(1);
const SECRET = `whsec_${Buffer.from(KEY).toString('base64')}`;

const Renewal = z.looseObject({
  type: z.literal('subscription.renewed'),
  data: z.object({ id: z.string() }),
});

async function webhook(body: string) {
  const parts = { id: 'dlv_1', timestamp: String(NOW.getTime() / 1_000), body };
  return {
    headers: {
      'webhook-id': parts.id,
      'webhook-timestamp': parts.timestamp,
      'webhook-signature': await signature(webCrypto, KEY, parts),
    },
    body,
  };
}

const read = (received: Parameters<typeof readWebhook>[0], secret = SECRET) =>
  readWebhook(received, { secrets: [secret], now: NOW }, Renewal, webCrypto);

describe('readWebhook', () => {
  test('returns the event of a signed webhook that the schema accepts', async () => {
    const body = '{"type":"subscription.renewed","data":{"id":"sub_1"},"new":1}';
    const event = { type: 'subscription.renewed', data: { id: 'sub_1' }, new: 1 };
    const bytes = new TextEncoder().encode(body);
    for (const given of [body, bytes]) {
      const received = { ...(await webhook(body)), body: given };
      expect(await read(received)).toEqual({ kind: 'genuine', id: 'dlv_1', sentAt: NOW, event });
    }
  });

  test('returns unreadable for a signed webhook that the schema rejects, broken JSON included', async () => {
    for (const body of ['{"type":"subscription.stopped","data":{}}', '{"type":', '', 'null']) {
      const reading = await read(await webhook(body));
      expect(reading.kind).toBe('unreadable');
      expect(reading).toHaveProperty('issues.0.message');
    }
  });

  test('does not parse a webhook that is forged or unsigned', async () => {
    const body = '{"type":"subscription.renewed","data":{"id":"sub_1"}}';
    const other = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    expect(await read(await webhook(body), other)).toEqual({ kind: 'forged' });
    expect(await read({ headers: {}, body })).toEqual({ kind: 'unsigned' });
  });
});
