import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type VerifyWebhookOptions } from './verify-webhook.js';
import { webCrypto } from './tests/web-crypto.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const BODY = '{"id":"evt_1","name":"Zoë"}';

/** A webhook signed with node:crypto. */
function webhook({ secret = SECRET, id = 'dlv_1', at = NOW, body = BODY } = {}) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
    body,
  };
}

const verify = (received: Parameters<typeof verifyWebhook>[0], trust: Partial<VerifyWebhookOptions> = {}) =>
  verifyWebhook(received, { secrets: [SECRET], now: NOW, ...trust }, webCrypto);

// deliveries#delivery-signature
describe('verifyWebhook', () => {
  // deliveries#delivery-id-for-deduplication
  test('accepts a signed webhook and returns the id to deduplicate on', async () => {
    expect(await verify(webhook())).toEqual({ kind: 'genuine', id: 'dlv_1', sentAt: NOW });
  });

  test('reads headers of fetch and of Node, and a body of bytes', async () => {
    const { headers, body } = webhook();
    for (const given of [headers, new Headers(headers)]) {
      const bytes = new TextEncoder().encode(body);
      expect((await verify({ headers: given, body: bytes })).kind).toBe('genuine');
    }
  });

  test('accepts a webhook when any signature matches any of the secrets', async () => {
    const [old, fresh] = [webhook(), webhook({ secret: OTHER })];
    const both = {
      ...old,
      headers: {
        ...old.headers,
        'webhook-signature': `${fresh.headers['webhook-signature']} ${old.headers['webhook-signature']}`,
      },
    };
    expect((await verify(both)).kind).toBe('genuine');
    expect((await verify(both, { secrets: [OTHER] })).kind).toBe('genuine');
    expect((await verify(fresh, { secrets: [SECRET, OTHER] })).kind).toBe('genuine');
  });

  test('ignores signatures of an unknown version', async () => {
    const { headers, body } = webhook();
    const unknown = headers['webhook-signature'].replace('v1,', 'v9,');
    expect((await verify({ headers: { ...headers, 'webhook-signature': unknown }, body })).kind).toBe(
      'forged',
    );
    const mixed = `${unknown} ${headers['webhook-signature']}`;
    expect((await verify({ headers: { ...headers, 'webhook-signature': mixed }, body })).kind).toBe(
      'genuine',
    );
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)(
    'returns unsigned for a webhook without %s',
    async (name) => {
      const { headers, body } = webhook();
      expect(await verify({ headers: { ...headers, [name]: undefined }, body })).toEqual({
        kind: 'unsigned',
      });
      expect(await verify({ headers: { ...headers, [name]: '' }, body })).toEqual({ kind: 'unsigned' });
    },
  );

  test('returns forged when id, time, body or signature was changed anywhere', async () => {
    const { headers, body } = webhook();
    const swap = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'body' as const),
        fc.nat(1_000),
        async (part, position) => {
          const all = { ...headers, body };
          const changed = { ...all, [part]: swap(all[part], position % all[part].length) };
          expect(await verify({ headers: changed, body: changed.body })).toEqual({ kind: 'forged' });
        },
      ),
    );
  });

  test('returns forged for a signature of another secret', async () => {
    expect(await verify(webhook({ secret: OTHER }))).toEqual({ kind: 'forged' });
  });

  test.each(['', 'abc', '-5', '1e9', '99999999999999', '0x10'])(
    'does not accept "%s" as a timestamp',
    async (text) => {
      const { headers, body } = webhook();
      expect((await verify({ headers: { ...headers, 'webhook-timestamp': text }, body })).kind).not.toBe(
        'genuine',
      );
    },
  );

  test('returns stale beyond the tolerance, which is five minutes either way by default', async () => {
    const at = (seconds: number) => webhook({ at: new Date(NOW.getTime() + seconds * 1_000) });
    expect((await verify(at(-300))).kind).toBe('genuine');
    expect((await verify(at(300))).kind).toBe('genuine');
    expect(await verify(at(-301))).toEqual({ kind: 'stale' });
    expect(await verify(at(301))).toEqual({ kind: 'stale' });
    expect(await verify(at(-31), { toleranceSeconds: 30 })).toEqual({ kind: 'stale' });
  });

  test('throws when no secret is given, rather than accepting everything', async () => {
    await expect(verify(webhook(), { secrets: [] })).rejects.toThrow('No signing secret was given.');
    await expect(verify(webhook(), { secrets: ['secret'] })).rejects.toThrow('whsec_<base64>');
  });
});
