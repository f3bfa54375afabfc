import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;

const TIMESTAMP = String(Math.floor(Date.now() / 1000));
const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'subscription.created',
  created_at: '2026-03-01T00:00:00.000Z',
  network: 'devnet',
  api_version: '2026-10-02',
  sequence: 1,
  data: {
    id: 'sub_1',
    status: 'active',
    paused: false,
    end_reason: null,
    late_reason: null,
    stop_reason: null,
    access: true,
    payment_status: 'paid',
    blocked_since: null,
    blocked_reason: null,
    plan: 'pro',
    wallet: '11111111111111111111111111111111',
    email: null,
    external_id: 'customer-1',
    current_period_start: '2026-03-01T00:00:00.000Z',
    current_period_end: '2026-03-31T00:00:00.000Z',
    next_charge_at: '2026-03-31T00:00:00.000Z',
    next_retry_at: null,
    retry_deadline: null,
    next_retry_number: null,
    retries_allowed: null,
    access_until: '2026-03-31T00:00:00.000Z',
    closable: false,
    closable_from: null,
    created_at: '2026-03-01T00:00:00.000Z',
    confirmed_at: '2026-03-01T00:00:00.000Z',
  },
  detail: {},
});

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  receiver.setSecret(SECRET);
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

test('keeps the event of a delivery once, however often the delivery is repeated', async () => {
  expect([await deliver({}), await deliver({})]).toEqual([204, 204]);
  expect(receiver.events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['subscription.created', 1],
  ]);
});

test('refuses a changed body', async () => {
  expect(await deliver({ body: `${BODY} `, signature: sign('dlv_1', TIMESTAMP, BODY) })).toBe(400);
  expect([receiver.events.length, receiver.rejected]).toEqual([0, 1]);
});

test('answers 202 to a signed body that is no event, so that the endpoint is not disabled for it', async () => {
  expect(await deliver({ body: '{"object":"list"}' })).toBe(202);
  expect([receiver.events.length, receiver.rejected]).toEqual([0, 1]);
});
