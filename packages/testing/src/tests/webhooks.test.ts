import { afterEach, expect, it } from 'vitest';

import { createTestBilling, type TestBilling, type TestWebhook } from '../index.js';

let test: TestBilling;
afterEach(() => test.close());

const MINUTE = 60_000;

/** Attempts at once, after 1 minute, 5 minutes and 30 minutes, each up to a tenth later. */
const SCHEDULE = [/^0 503$/, /^1 503$/, /^6 503$/, /^3[6-9] 200$/].map(
  (pattern) => expect.stringMatching(pattern) as string,
);

/** The attempts of a delivery in minutes after the first, with their answers. */
function schedule(webhooks: readonly TestWebhook[], id: string | undefined) {
  const attempts = webhooks.filter((webhook) => webhook.id === id);
  const first = attempts[0]?.sentAt.getTime() ?? 0;
  return attempts.map(({ sentAt, answer }) => [Math.floor((sentAt.getTime() - first) / MINUTE), answer]);
}

// deliveries#retry-schedule-with-backoff, deliveries#same-bytes-for-every-attempt
it('repeats a webhook that fails with the same bytes, on the schedule, until it is accepted', async () => {
  test = await createTestBilling();
  test.failWebhooks(503);
  await test.subscribe();
  await test.advance('10m');
  test.acceptWebhooks();
  await test.advance('1h');

  const webhooks = test.webhooks();
  const [first, second] = webhooks;
  expect([first?.event.type, second?.event.type]).toEqual([
    'subscription.created',
    'subscription.access_granted',
  ]);
  for (const webhook of [first, second]) {
    const times = schedule(webhooks, webhook?.id);
    expect(times.map(([minutes, answer]) => `${minutes} ${answer}`)).toEqual(SCHEDULE);
    expect(new Set(webhooks.filter(({ id }) => id === webhook?.id).map(({ body }) => body)).size).toBe(1);
  }
});

it('fails only as many webhooks as it is told, and without an answer', async () => {
  test = await createTestBilling();
  test.failWebhooks('timeout', 1);
  await test.subscribe();
  expect(
    test
      .webhooks()
      .map(({ answer }) => answer)
      .toSorted(),
  ).toEqual([200, 'timeout']);
});

// deliveries#endpoint-failing-three-days
it('lets an endpoint be disabled that fails for three days', async () => {
  test = await createTestBilling();
  test.failWebhooks(500);
  await test.subscribe();
  await test.advance('4d');
  expect(await test.project.endpoints.list()).toMatchObject([{ enabled: false, disabled_reason: 'failing' }]);
});

// deliveries#retry-after-of-an-endpoint
it('hands each webhook to the receiver of the app, and heeds what it answers', async () => {
  const received: string[] = [];
  let isReady = false;
  test = await createTestBilling({
    async receive(request) {
      const { type } = (await request.json()) as { type: string };
      received.push(`${request.method} ${request.url} ${type}`);
      if (isReady || type !== 'subscription.created') return new Response(null, { status: 204 });
      isReady = true;
      return new Response('later', { status: 429, headers: { 'retry-after': '100' } });
    },
  });
  const [created, granted] = ['created', 'access_granted'].map(
    (type) => `POST https://app.example.com/webhooks subscription.${type}`,
  );
  await test.subscribe();
  await test.advance('90s');
  expect(received.toSorted()).toEqual([granted, created]);
  await test.advance('20s');
  expect(received.slice(2)).toEqual([created]);
  expect(test.webhooks().map(({ answer }) => answer)).toEqual([429, 204, 204]);
});

it('verifies the webhooks of endpoints that the test adds, with their own secrets', async () => {
  test = await createTestBilling();
  await test.project.endpoints.create({
    url: 'https://other.example.com/hook',
    types: ['subscription.created'],
  });
  await test.subscribe();
  const urls = test.webhooks().map(({ url, event }) => `${url} ${event.type}`);
  expect(urls.sort()).toEqual([
    'https://app.example.com/webhooks subscription.access_granted',
    'https://app.example.com/webhooks subscription.created',
    'https://other.example.com/hook subscription.created',
  ]);
});

it('reports a receiver that throws when the test closes', async () => {
  test = await createTestBilling({
    receive: () => {
      throw new Error('the app is broken');
    },
  });
  const broken = test;
  await broken.subscribe();
  expect(broken.webhooks().map(({ answer }) => answer)).toEqual([500, 500]);
  await expect(broken.close()).rejects.toThrow(/the test's webhook receiver threw.*the app is broken/s);
  test = await createTestBilling();
});
