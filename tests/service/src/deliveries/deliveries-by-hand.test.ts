// Heavy: many tests have a service of their own, whose endpoint fails first.

import { describe, expect, test } from 'vitest';
import { EventType, EventWire } from '@subrail/core/schemas';
import { createBilling } from '@subrail/core';
import type { HttpOutcome, AlertNotification } from '@subrail/core/ports';
import { verifyWebhook } from '@subrail/core/webhooks';
import { ManualClock, OK, RecordingSender } from '@subrail/core/testing';
import { HOUR, settled } from '@subrail/test-world';
import { headersOf, NOW, openDeliveryWorld, type DeliveryWorld } from './delivery-world.js';

const DOWN: HttpOutcome = { kind: 'answered', status: 500, retryAfter: null, excerpt: 'down' };

const shopOf = (world: DeliveryWorld) => world.billing.project(world.project.id);

/** Makes every due delivery until the next one is `hours` away. */
async function deliverFor(world: DeliveryWorld, hours: number): Promise<void> {
  const end = world.clock.now().getTime() + hours * HOUR;
  for (;;) {
    await world.deliver();
    const next = await world.store.nextDeliveryAt();
    if (next === null || next.getTime() > end) return;
    world.clock.advanceTo(next);
  }
}

// deliveries#test-delivery
describe('a test delivery', () => {
  test.each([...EventType.options, 'test'] as const)(
    'of type %s is like a delivery of that type',
    async (type) => {
      const sender = new RecordingSender();
      const world = await openDeliveryWorld(sender);
      const { id, secret } = await shopOf(world).endpoints.create({
        url: 'https://a.example.com/',
        types: EventType.options,
      });
      const delivery = await shopOf(world).endpoints.test(id, { type });
      expect(delivery).toMatchObject({
        endpoint: id,
        event: null,
        type,
        test: true,
        state: 'delivered',
        attempts: 1,
        next_attempt_at: null,
        settled_at: NOW.toISOString(),
        log: [{ number: 1, status: 200, started_at: NOW.toISOString(), next_attempt_at: null }],
      });
      const [post] = sender.posts;
      const body = JSON.parse(post?.body ?? '') as Record<string, unknown>;
      expect(Object.keys(body)).toEqual([
        'id',
        'object',
        'type',
        'created_at',
        'network',
        'api_version',
        'data',
        'detail',
        'test',
      ]);
      expect(body).toMatchObject({ type, test: true, data: { id: 'sub_test' } });
      const { test: _, ...event } = body;
      if (type !== 'test') expect(EventWire.safeParse(event).success).toBe(true);
      expect(headersOf(post)['webhook-id']).toBe(delivery.id);
      await verifyWebhook({ headers: headersOf(post), body: post?.body ?? '' }, secret, { now: NOW });
    },
  );

  test('has one attempt, and never turns its endpoint off', async () => {
    const world = await openDeliveryWorld(new RecordingSender(() => ({ ...DOWN, status: 410 })));
    const { id } = await world.endpoint('a');
    expect(await shopOf(world).endpoints.test(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      last_status: 410,
      last_excerpt: 'down',
    });
    await deliverFor(world, 100);
    expect(await shopOf(world).endpoints.retrieve(id)).toMatchObject({ enabled: true, failing_since: null });
    const { data } = await shopOf(world).deliveries.list();
    expect(data).toMatchObject([{ state: 'failed', attempts: 1, test: true }]);
    expect((await shopOf(world).events.list()).data).toEqual([]);
  });

  test('is refused for a type that is not selected, on a disabled endpoint, and on one of another project', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const { endpoints } = shopOf(world);
    await expect(endpoints.test(id, { type: 'subscription.ended' })).rejects.toMatchObject({
      code: 'invalid_request',
      message:
        '"type" must be test, or one of the types that the endpoint selects: subscription.created, subscription.renewed.',
    });
    await endpoints.disable(id);
    await expect(endpoints.test(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(endpoints.test('whe_unknown')).rejects.toMatchObject({ code: 'not_found' });
    expect(sender.posts).toEqual([]);
  });

  test('is refused while another one is pending, and past five a minute', async () => {
    const answers: ((outcome: HttpOutcome) => void)[] = [];
    const sender: RecordingSender = new RecordingSender(() =>
      sender.posts.length === 1 ? new Promise((resolve) => answers.push(resolve)) : OK,
    );
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const { endpoints } = shopOf(world);
    const first = endpoints.test(id);
    while (answers.length === 0) await settled();
    await expect(endpoints.test(id)).rejects.toMatchObject({ code: 'conflict' });
    answers[0]?.(OK);
    await first;
    world.clock.advance(10_000);
    for (let count = 2; count <= 5; count += 1) await endpoints.test(id);
    await expect(endpoints.test(id)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 50 });
    world.clock.advance(50_001);
    expect(await endpoints.test(id)).toMatchObject({ state: 'delivered' });
    expect(sender.posts).toHaveLength(6);
  });

  test('answers what is on record when its endpoint is disabled while it is sent', async () => {
    const answers: ((outcome: HttpOutcome) => void)[] = [];
    const sender = new RecordingSender(() => new Promise((resolve) => answers.push(resolve)));
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const tested = shopOf(world).endpoints.test(id);
    while (answers.length === 0) await settled();
    await shopOf(world).endpoints.disable(id);
    answers[0]?.(OK);
    const answer = await tested;
    expect(answer).toMatchObject({ state: 'failed', attempts: 0, log: [] });
    expect(await shopOf(world).deliveries.retrieve(answer.id)).toEqual(answer);
  });

  test('of two at the same time is refused once', async () => {
    const answers: ((outcome: HttpOutcome) => void)[] = [];
    const sender = new RecordingSender(() => new Promise((resolve) => answers.push(resolve)));
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const refused: unknown[] = [];
    const tests = [1, 2].map(() =>
      shopOf(world)
        .endpoints.test(id)
        .catch((error: unknown) => refused.push(error)),
    );
    while (answers.length + refused.length < 2) await settled();
    expect(refused).toMatchObject([{ code: 'conflict' }]);
    for (const answer of answers) answer(OK);
    await Promise.all(tests);
  });
});

// deliveries#delivery-log, management#delivery-functions
test('the log of a delivery has each attempt with its time, its answer and what followed', async () => {
  const answers: HttpOutcome[] = [DOWN, { kind: 'timed_out' }, OK];
  const world = await openDeliveryWorld(new RecordingSender(() => answers.shift() ?? OK));
  await world.endpoint('a');
  const [event] = await world.happens('subscription.created');
  await deliverFor(world, 1);
  const [listed] = (await shopOf(world).deliveries.list({ event: event?.id ?? '' })).data;
  expect(listed).toMatchObject({ state: 'delivered', attempts: 3, last_status: 200, test: false });
  const { log, ...delivery } = await shopOf(world).deliveries.retrieve(listed?.id ?? '');
  expect(delivery).toEqual(listed);
  expect(log).toMatchObject([
    { number: 1, started_at: NOW.toISOString(), status: 500, excerpt: 'down' },
    { number: 2, status: null, excerpt: 'No answer in time.' },
    { number: 3, status: 200, excerpt: '', next_attempt_at: null },
  ]);
  expect(log.slice(1).map((attempt) => attempt.started_at)).toEqual(
    log.slice(0, 2).map((attempt) => attempt.next_attempt_at),
  );
  await expect(shopOf(world).deliveries.retrieve('dlv_unknown')).rejects.toMatchObject({ code: 'not_found' });
  await expect(shopOf(world).deliveries.list({ starting_after: 'dlv_unknown' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

// deliveries#resend
describe('a resend', () => {
  test('of a failed delivery has the same id and bytes, and begins the schedule anew', async () => {
    let up = false;
    const sender = new RecordingSender(() => (up ? OK : DOWN));
    const world = await openDeliveryWorld(sender);
    const { id: endpoint } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    // Eleven attempts take three days and two and a half hours; a success in between keeps the endpoint on.
    await deliverFor(world, 60);
    up = true;
    await world.happens('subscription.renewed');
    await world.deliver();
    up = false;
    await deliverFor(world, 30);
    const of = { event: event?.id ?? '', endpoint };
    const [failed] = (await shopOf(world).deliveries.list({ event: of.event })).data;
    expect(failed).toMatchObject({ state: 'failed', attempts: 11 });

    const sentAgain = await shopOf(world).deliveries.resend(of);
    expect(sentAgain).toMatchObject({ id: failed?.id, state: 'pending', attempts: 11 });
    await world.deliver();
    world.clock.advance(66_000);
    up = true;
    await world.deliver();
    expect(await shopOf(world).deliveries.retrieve(sentAgain.id)).toMatchObject({
      state: 'delivered',
      attempts: 13,
    });
    const posts = sender.posts.filter((post) => headersOf(post)['webhook-id'] === sentAgain.id);
    expect(posts).toHaveLength(13);
    expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
  });

  test('of a delivered one sends it once more, and one that was never made is made', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const one = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    await world.deliver();
    const later = await world.endpoint('b');
    for (const { id: endpoint } of [one, later])
      await shopOf(world).deliveries.resend({ event: event?.id ?? '', endpoint });
    expect(await world.deliver()).toEqual({ delivered: 2, retrying: 0, failed: 0 });
    expect(sender.posts.map(({ url }) => url).toSorted()).toEqual([
      'https://a.example.com/',
      'https://a.example.com/',
      'https://b.example.com/',
    ]);
    expect(new Set(sender.posts.map(({ body }) => body)).size).toBe(1);
  });

  test('is refused for an unknown event or endpoint, and for a disabled endpoint', async () => {
    const world = await openDeliveryWorld(new RecordingSender());
    const { id: endpoint } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    const { deliveries, endpoints } = shopOf(world);
    const of = { event: event?.id ?? '', endpoint };
    await expect(deliveries.resend({ ...of, event: 'evt_unknown' })).rejects.toMatchObject({
      code: 'event_not_found',
    });
    await expect(deliveries.resend({ ...of, endpoint: 'whe_unknown' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await endpoints.disable(endpoint);
    await expect(deliveries.resend(of)).rejects.toMatchObject({ code: 'conflict' });
  });
});

// deliveries#recover-missed-events
describe('recover', () => {
  test('sends what happened while the endpoint was off, and what failed, but nothing twice', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const { endpoints } = shopOf(world);
    const [before] = await world.happens('subscription.created');
    await world.deliver();
    const [cut] = await world.happens('subscription.created');
    await endpoints.disable(id);
    world.clock.advance(HOUR);
    const since = world.clock.now().toISOString();
    const {
      endpoints: [off],
    } = await world.store.listEndpoints(world.project.id);
    expect(off?.enabled).toBe(false);
    const missed = await world.missed('subscription.renewed', 'subscription.cancelled');
    world.clock.advance(HOUR);
    await expect(endpoints.recover(id, { since })).rejects.toMatchObject({ code: 'conflict' });
    await endpoints.enable(id);
    const sent = () => sender.posts.map(({ body }) => (JSON.parse(body) as { id: string }).id);

    expect(await endpoints.recover(id, { since })).toEqual({ recovered: 1 });
    await world.deliver();
    expect(sent()).toEqual([before?.id, missed[0]?.id]);

    expect(await endpoints.recover(id, { since: NOW.toISOString() })).toEqual({ recovered: 1 });
    await world.deliver();
    expect(sent()).toEqual([before?.id, missed[0]?.id, cut?.id]);
    expect(await endpoints.recover(id, { since: NOW.toISOString() })).toEqual({ recovered: 0 });
    await expect(endpoints.recover(id, { since: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('reads thousands of events in pages', async () => {
    const world = await openDeliveryWorld(new RecordingSender());
    for (let i = 0; i < 601; i += 1) await world.missed('subscription.created');
    const { id } = await world.endpoint('a');
    expect(await shopOf(world).endpoints.recover(id, { since: NOW.toISOString() })).toEqual({
      recovered: 601,
    });
    expect(await world.deliver()).toEqual({ delivered: 601, retrying: 0, failed: 0 });
  });
});

// deliveries#deletion-of-an-endpoint
test('a deleted endpoint gets nothing more, and its address is free', async () => {
  const sender = new RecordingSender();
  const world = await openDeliveryWorld(sender);
  const { id } = await world.endpoint('a');
  const { endpoints, deliveries } = shopOf(world);
  const [event] = await world.happens('subscription.created');
  await endpoints.delete(id);
  expect(await endpoints.list()).toEqual([]);
  await expect(endpoints.retrieve(id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(endpoints.delete(id)).rejects.toMatchObject({ code: 'not_found' });
  await world.happens('subscription.created');
  expect(await world.deliver()).toEqual({ delivered: 0, retrying: 0, failed: 0 });
  expect(sender.posts).toEqual([]);
  expect((await deliveries.list({ event: event?.id ?? '' })).data).toMatchObject([
    { endpoint: id, state: 'failed', attempts: 0 },
  ]);
  expect((await world.endpoint('a')).id).not.toBe(id);
});

// deliveries#timestamp-from-the-wall-clock
test('deliveries go by the wall clock while the service’s time is moved by a month', async () => {
  const wallClock = new ManualClock(NOW);
  const sender: RecordingSender = new RecordingSender(() => (sender.posts.length <= 2 ? DOWN : OK));
  const world = await openDeliveryWorld(sender, { wallClock });
  const { id, secret } = await world.endpoint('a');
  world.clock.advance(30 * 24 * HOUR);
  const [event] = await world.happens('subscription.created');
  expect(await world.deliver()).toEqual({ delivered: 0, retrying: 1, failed: 0 });
  wallClock.advance(66_000);
  world.clock.advance(30 * 24 * HOUR);
  expect(await world.deliver()).toEqual({ delivered: 0, retrying: 1, failed: 0 });
  expect(await shopOf(world).endpoints.retrieve(id)).toMatchObject({ enabled: true });
  wallClock.advance(330_000);
  expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
  const passed = [0, 66_000, 396_000];
  for (const [place, post] of sender.posts.entries()) {
    const sentAt = new Date(NOW.getTime() + (passed[place] ?? NaN));
    const verified = await verifyWebhook({ headers: headersOf(post), body: post.body }, secret, {
      now: sentAt,
    });
    expect(verified.sentAt).toEqual(sentAt);
    expect(JSON.parse(post.body)).toMatchObject({ created_at: event?.createdAt.toISOString() });
  }
});

// alerts#endpoints
test('an endpoint that fails, recovers, and is turned off reaches the alert notifier', async () => {
  const alertNotifier: AlertNotification[] = [];
  let answer: HttpOutcome = DOWN;
  const world = await openDeliveryWorld(new RecordingSender(() => answer), {
    alertNotifier: { notify: async (notification) => void alertNotifier.push(notification) },
  });
  const { id } = await shopOf(world).endpoints.create({
    url: 'https://a.example.com/hooks/secret-path?token=secret',
    types: EventType.options,
  });
  await world.happens('subscription.created');
  await world.deliver();
  expect(alertNotifier).toEqual([]);
  await deliverFor(world, 0.1);
  answer = OK;
  await deliverFor(world, 1);
  answer = { ...DOWN, status: 410 };
  await world.happens('subscription.created');
  await world.deliver();
  await shopOf(world).endpoints.enable(id);
  expect(
    alertNotifier.map(({ key, change, message }) => `${key} ${change}: ${message.split('.')[0]}.`),
  ).toEqual([
    `endpoint_failing:${id} began: The deliveries to an endpoint fail.`,
    `endpoint_failing:${id} ended: The endpoint accepts deliveries again.`,
    `endpoint_turned_off:${id} began: An endpoint was turned off, because it answered 410 or failed for three days.`,
    `endpoint_turned_off:${id} ended: The endpoint was enabled.`,
  ]);
  expect(alertNotifier[0]?.facts).toEqual({
    project: world.project.id,
    host: 'a.example.com',
    reason: 'The endpoint answered 500.',
  });
  expect(JSON.stringify(alertNotifier)).not.toContain('secret');
});

// alerts#endpoints
describe('the alert of an endpoint that fails', () => {
  type Endpoints = ReturnType<typeof shopOf>['endpoints'];
  const CALLS: readonly (readonly [
    name: string,
    why: RegExp,
    call: (endpoints: Endpoints, id: string) => Promise<unknown>,
  ])[] = [
    ['deletes it', /^The endpoint was deleted\.$/, (endpoints, id) => endpoints.delete(id)],
    ['disables it', /^The endpoint was disabled by hand\.$/, (endpoints, id) => endpoints.disable(id)],
    [
      'turns it off and on',
      /^The endpoint (was disabled by hand|accepts deliveries again, or somebody turned it off and on)\.$/,
      async (endpoints, id) => {
        await endpoints.disable(id);
        await endpoints.enable(id);
      },
    ],
  ];

  async function failing() {
    const ended: string[] = [];
    const world = await openDeliveryWorld(new RecordingSender(() => DOWN), {
      alertNotifier: {
        notify: async ({ key, change, message }) => {
          if (change === 'ended' && key.startsWith('endpoint_failing')) ended.push(message);
        },
      },
    });
    const { id } = await world.endpoint('a');
    await world.happens('subscription.created');
    await deliverFor(world, 0.1);
    await world.billing.worker.watch();
    expect(
      world.billing.service.alerts.open().filter(({ kind }) => kind === 'endpoint_failing'),
    ).toHaveLength(1);
    return { world, id, ended };
  }

  test.each(CALLS)('ends at once, and says why, in the process that %s', async (_name, why, call) => {
    const { world, id, ended } = await failing();
    await call(shopOf(world).endpoints, id);
    await expect.poll(() => ended).toEqual([expect.stringMatching(why)]);
  });

  test.each(CALLS)(
    'ends within a minute, and says why, when another process %s',
    async (_name, why, call) => {
      const { world, id, ended } = await failing();
      const { alertNotifier: _, ...ports } = world.ports;
      await call(createBilling(ports).project(world.project.id).endpoints, id);
      world.clock.advance(60_000);
      await world.billing.worker.watch();
      await expect.poll(() => ended).toEqual([expect.stringMatching(why)]);
    },
  );

  test('ends, and says why, when another process turned it off for good', async () => {
    const { world, id, ended } = await failing();
    const endpoint = await world.store.findEndpoint(world.project.id, id as never);
    if (endpoint === null) throw new Error('The store has no such endpoint.');
    await world.store.updateEndpoint({
      ...endpoint,
      version: endpoint.version + 1,
      enabled: false,
      disabledReason: 'failing',
    });
    world.clock.advance(60_000);
    await world.billing.worker.watch();
    await expect
      .poll(() => ended)
      .toEqual(['The service turned the endpoint off, because it answered 410 or failed for three days.']);
  });
});
