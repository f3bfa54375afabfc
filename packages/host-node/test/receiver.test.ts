import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../src/demo/receiver.js';

const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const NOW = new Date('2026-03-01T00:00:00Z');
const TIMESTAMP = String(NOW.getTime() / 1000);
const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'subscription.created',
  created_at: '2026-03-01T00:00:00.000Z',
  sequence: 1,
  data: { id: 'sub_1', status: 'active', access: true, wallet: 'w' },
  detail: {},
});

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver(() => NOW);
  receiver.trust(SECRET);
});
afterEach(() => receiver.stop());

function sign(id: string, timestamp: string, body: string): string {
  const key = Buffer.from(SECRET.slice(6), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

async function deliver({
  id = 'dlv_1',
  timestamp = TIMESTAMP,
  body = BODY,
  signature = sign(id, timestamp, body),
}) {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
}

test('a genuine delivery is taken once, however often it comes', async () => {
  expect([await deliver({}), await deliver({})]).toEqual([204, 204]);
  expect(receiver.notices.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['subscription.created', 1],
  ]);
});

test('of several signatures one that fits is enough, as while a secret is replaced', async () => {
  expect(await deliver({ signature: `v1,AAAA ${sign('dlv_1', TIMESTAMP, BODY)}` })).toBe(204);
});

test.each([
  ['a changed body', { body: `${BODY} `, signature: sign('dlv_1', TIMESTAMP, BODY) }],
  ['another id', { id: 'dlv_2', signature: sign('dlv_1', TIMESTAMP, BODY) }],
  ['another version of signature', { signature: sign('dlv_1', TIMESTAMP, BODY).replace('v1', 'v2') }],
  ['no signature', { signature: '' }],
  ['a time too far away', { timestamp: String(Number(TIMESTAMP) - 301) }],
  ['a time that is no number', { timestamp: 'soon' }],
])('%s is not believed', async (_, forged) => {
  expect(await deliver(forged)).toBe(401);
  expect([receiver.notices.length, receiver.refused]).toEqual([0, 1]);
});
