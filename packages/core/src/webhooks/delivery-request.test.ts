import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventExample } from '../contract/event-examples.js';
import { anId } from '../testing/records.js';
import { deliveryRequest, USER_AGENT } from './delivery-request.js';
import { secretKey } from './signing.js';
import { verifyWebhook } from './receiver/verify-webhook.js';
import { webCrypto } from './receiver/web-crypto.js';

const NOW = new Date('2026-10-02T08:30:00.750Z');
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('deliveryRequest', () => {
  // deliveries#request-headers
  // deliveries#success-and-failure
  test('posts the body with its headers, and allows ten seconds for a response', async () => {
    const id = anId('dlv');
    const event = eventExample('subscription.created');
    const url = 'https://example.com/hooks';
    const keys = [secretKey(SECRET) ?? new Uint8Array()];
    const content = { id, url, body: JSON.stringify(event), now: NOW };
    const request = await deliveryRequest(webCrypto, keys, content);
    expect(request).toEqual({
      url,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': expect.stringMatching(/^Subrail\/[0-9.]+$/) as string,
        'webhook-id': id,
        'webhook-timestamp': '1790929800',
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/) as string,
      },
      body: JSON.stringify(event),
      timeoutMs: 10_000,
    });
    expect(await verifyWebhook(request, SECRET, { now: NOW })).toMatchObject({ webhookId: id, event });
  });

  // deliveries#request-headers
  test('names the version of this package in the User-Agent', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(USER_AGENT).toBe(`Subrail/${manifest.version}`);
  });
});
