// Heavy: workers die, fail and race until every event is delivered.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBilling } from '@subrail/core';
import type { HttpOutcome, HttpPost, FullStore } from '@subrail/core/ports';
import { anId, OK, RecordingSender } from '@subrail/core/testing';
import { createCrypto } from '@subrail/adapters/node';
import { openTestStore, settled } from '@subrail/test-world';
import { headersOf, NOW, openDeliveryWorld } from './delivery-world.js';

/** Keeps each request in flight until the test answers it. */
function deferredAnswers() {
  const waiting: ((outcome: HttpOutcome) => void)[] = [];
  return {
    waiting,
    take: () => new Promise<HttpOutcome>((resolve) => waiting.push(resolve)),
    answerAll: (outcome: HttpOutcome) => {
      for (const answer of waiting.splice(0)) answer(outcome);
    },
  };
}

/** Answers what is in flight, again and again, until a pass is over. */
async function answerUntilOver(pass: Promise<unknown>, answer: () => void): Promise<void> {
  const state = { over: false };
  void pass.then(() => (state.over = true));
  while (!state.over) {
    answer();
    await settled();
  }
}

describe('a worker that dies or fails', () => {
  test('repeats the delivery with the same id and bytes once the lease is over, when it dies after posting', async () => {
    const { take, waiting, answerAll } = deferredAnswers();
    const sender = new RecordingSender(() => (waiting.length === 0 ? take() : OK));
    const world = await openDeliveryWorld(sender);
    await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    const dead = world.deliver();
    while (waiting.length === 0) await settled();
    world.clock.advance(39_999);
    expect(await world.deliver()).toEqual({ delivered: 0, retrying: 0, failed: 0 });

    world.clock.advance(1);
    expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
    const [first, second] = sender.posts;
    expect(second?.body).toBe(first?.body);
    expect(headersOf(second)['webhook-id']).toBe(headersOf(first)['webhook-id']);

    // The worker was only slow, and its late result no longer counts.
    answerAll({ kind: 'timed_out' });
    expect(await dead).toEqual({ delivered: 0, retrying: 0, failed: 0 });
    const [delivery] = await world.store.listDeliveries(event?.id as never);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  // invariants#damaged-row-set-aside
  test('leaves deliveries that cannot be read alone for an hour, and sends those behind them', async () => {
    const sender = new RecordingSender();
    const asked: Date[] = [];
    const world = await openDeliveryWorld(sender, {
      // The first read meets nothing but damaged rows.
      wrapStore: (store) => ({
        ...store,
        async listDueDeliveries(id, now, limit, unreadableUntil) {
          asked.push(unreadableUntil);
          if (asked.length > 1) return store.listDueDeliveries(id, now, limit, unreadableUntil);
          return { due: [], unreadable: [{ id: 'dlv_damaged', error: new Error('no JSON') }] };
        },
      }),
    });
    await world.endpoint('a');
    await world.happens('subscription.created');
    expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
    const inAnHour = new Date(world.clock.now().getTime() + 3_600_000);
    expect(asked.every((until) => until.getTime() === inAnHour.getTime())).toBe(true);
    expect(world.log.errors.filter((line) => line.includes('A delivery cannot be read'))).toHaveLength(1);
  });

  test.each([
    'saveBodiesIfAbsent',
    'settleDeliveries',
    'listDueDeliveries',
    'releaseEndpoint',
    'findEndpoint',
    'updateEndpoint',
    'failDeliveries',
  ] as const)('loses nothing, and its next pass works, when the store fails in %s', async (broken) => {
    let failures = 1;
    const failingOnce = (store: FullStore): FullStore => ({
      ...store,
      [broken]: (...given: unknown[]) => {
        if (failures-- > 0) return Promise.reject(new Error('The disk is full.'));
        return (store[broken] as (...given: unknown[]) => Promise<unknown>)(...given);
      },
    });
    const answers: HttpOutcome[] = [{ kind: 'answered', status: 410, retryAfter: null, excerpt: '' }];
    const sender = new RecordingSender(() => answers[0] ?? OK);
    const world = await openDeliveryWorld(sender, { wrapStore: failingOnce });
    const { id } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    await world.deliver();
    expect(world.logged()).toContain(
      'The deliveries of an endpoint failed with an error of the service. They are tried again when the lease is over.',
    );

    world.clock.advance(70_000);
    await world.deliver();
    const [delivery] = await world.store.listDeliveries(event?.id as never);
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null });
    const endpoint = await world.store.findEndpoint(world.project.id, id as never);
    expect(endpoint).toMatchObject({ enabled: false, disabledReason: 'gone' });
  });

  test('settles the deliveries it began, and then its pass fails, when it cannot claim more', async () => {
    const { take, answerAll, waiting } = deferredAnswers();
    let claims = 0;
    const world = await openDeliveryWorld(new RecordingSender(take), {
      wrapStore: (store) => ({
        ...store,
        claimEndpoints: (...given) =>
          ++claims === 2 ? Promise.reject(new Error('The disk is full.')) : store.claimEndpoints(...given),
      }),
    });
    await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    let over = false;
    const pass = world.deliver().finally(() => {
      over = true;
    });
    const failed = expect(pass).rejects.toThrow('The disk is full.');
    while (waiting.length === 0 || !world.clock.sleeping) await settled();
    world.clock.advance(1_000);
    while (claims < 2) await settled();
    await settled();
    expect({ claims, over }).toEqual({ claims: 2, over: false });

    answerAll(OK);
    await failed;
    const [delivery] = await world.store.listDeliveries(event?.id as never);
    expect(delivery).toMatchObject({ state: 'delivered' });
  });

  // deliveries#secret-that-cannot-be-opened
  test('fails attempts that cannot be signed in sight of everyone, and blames no endpoint', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    const mistaken = createBilling({ ...world.ports, crypto: createCrypto(new Uint8Array(32).fill(9)) });
    expect(await mistaken.worker.deliver()).toEqual({ delivered: 0, retrying: 1, failed: 0 });
    expect(sender.posts).toEqual([]);
    const shop = mistaken.project(world.project.id);
    const { data } = await shop.deliveries.list({ event: event?.id ?? '' });
    expect(data).toMatchObject([
      {
        state: 'pending',
        attempts: 1,
        last_status: null,
        last_excerpt: 'Not sent: no signing secret of the endpoint opens with the sealing key',
      },
    ]);
    expect(world.logged()).toContain('An attempt of a delivery failed. It is tried again.');
    expect(await shop.endpoints.retrieve(id)).toMatchObject({ can_sign: false, failing_since: null });
    expect(mistaken.service.figures.deliveries).toEqual({ delivered: 0, retrying: 1, failed: 0 });
    expect(mistaken.service.alerts.open()).toMatchObject([
      { key: `endpoint_cannot_sign:${id}`, severity: 'error', facts: { host: 'a.example.com' } },
    ]);

    for (let day = 0; day < 4; day += 1) {
      world.clock.advance(24 * 3_600_000);
      await mistaken.worker.deliver();
    }
    expect(await shop.endpoints.retrieve(id)).toMatchObject({ enabled: true, failing_since: null });
    await world.deliver();
    expect(sender.posts).toHaveLength(0);
    world.clock.advance(24 * 3_600_000);
    expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });
  });
});

// deliveries#in-flight-limit-per-endpoint
describe('requests in flight', () => {
  test('are at most eight for one endpoint, all of them in one pass', async () => {
    let inFlight = 0;
    let most = 0;
    const sender = new RecordingSender(async () => {
      most = Math.max(most, ++inFlight);
      await settled();
      inFlight -= 1;
      return OK;
    });
    const world = await openDeliveryWorld(sender);
    await world.endpoint('a');
    for (let i = 0; i < 30; i++) await world.happens('subscription.created');
    expect(await world.deliver()).toEqual({ delivered: 30, retrying: 0, failed: 0 });
    expect(most).toBe(8);
  });

  test('do not delay other endpoints, nor newer events, while one endpoint does not answer', async () => {
    const { take, answerAll, waiting } = deferredAnswers();
    const sender = new RecordingSender((post) => (post.url.includes('slow') ? take() : OK));
    const world = await openDeliveryWorld(sender);
    await world.endpoint('slow');
    await world.endpoint('quick');
    const quick = () => sender.posts.filter(({ url }) => url.includes('quick')).length;
    for (let i = 0; i < 12; i++) await world.happens('subscription.created');
    const pass = world.deliver();
    while (quick() < 12) await settled();
    expect(waiting).toHaveLength(2);

    await world.happens('subscription.created');
    while (!world.clock.sleeping) await settled();
    world.clock.advance(500);
    while (quick() < 13) await settled();
    expect(waiting).toHaveLength(2);

    await answerUntilOver(pass, () => answerAll(OK));
    expect(await pass).toEqual({ delivered: 26, retrying: 0, failed: 0 });
  });

  // deliveries#slow-endpoint-isolation
  test('to 640 endpoints that hang delay no other endpoint by more than the next claim', async () => {
    const { take, answerAll } = deferredAnswers();
    const sender = new RecordingSender((post) => (post.url.includes('live') ? OK : take()));
    const world = await openDeliveryWorld(sender);
    await world.endpoint('live');
    const {
      endpoints: [live],
    } = await world.store.listEndpoints(world.project.id);
    if (live === undefined) throw new Error('The store has no endpoint.');
    const hanging = Array.from({ length: 640 }, (_, place) => ({
      ...live,
      id: anId('whe'),
      url: `https://hang-${place}.example.com/`,
    }));
    for (const endpoint of hanging) await world.store.insertEndpoint(endpoint);
    for (let count = 0; count < 3; count += 1) await world.happens('subscription.created');
    const stop = new AbortController();
    const deliveries = world.billing.worker.passes().find(({ name }) => name === 'deliveries');
    const pass = deliveries?.run(stop.signal);
    const arrived = () => sender.posts.filter(({ url }) => url.includes('live')).length;
    while (arrived() < 3 || sender.posts.length < 3 + 2 * 640) await settled();

    // Also late in a pass, which goes on for as long as requests are in flight.
    for (const [count, at] of [500, 19_000, 21_000, 30_000, 61_000].entries()) {
      // Time moves only while the pass sleeps between two claims.
      const asleep = async () => {
        while (!world.clock.sleeping) await settled();
      };
      await asleep();
      world.clock.advanceTo(new Date(NOW.getTime() + at - 500));
      await world.happens('subscription.created');
      await asleep();
      world.clock.advance(500);
      while (arrived() < 4 + count) await settled();
    }
    expect(sender.posts).toHaveLength(3 + 5 + 2 * 640);
    stop.abort();
    answerAll({ kind: 'timed_out' });
    await pass;
  });

  // deliveries#in-flight-limit-per-endpoint
  test('of several hosts are at most eight to one endpoint', async () => {
    let inFlight = 0;
    let most = 0;
    const sender = new RecordingSender(async () => {
      most = Math.max(most, ++inFlight);
      await settled(3);
      inFlight -= 1;
      return OK;
    });
    const world = await openDeliveryWorld(sender, { store: 'sqlite' });
    await world.endpoint('a');
    for (let count = 0; count < 60; count += 1) await world.happens('subscription.created');
    const hosts = [world.billing, createBilling(world.ports), createBilling(world.ports)];
    const passes = await Promise.all(hosts.map(({ worker }) => worker.deliver()));
    expect(passes.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(60);
    expect(most).toBe(8);
  });

  // deliveries#slow-endpoint-isolation
  test('begin with two, double with each success, and fall to one with a failure', async () => {
    const { take, answerAll, waiting } = deferredAnswers();
    const world = await openDeliveryWorld(new RecordingSender(() => take()));
    await world.endpoint('a');
    for (let i = 0; i < 40; i++) await world.happens('subscription.created');
    const pass = world.deliver();
    const seen: number[] = [];
    const answers = [OK, OK, OK, { kind: 'timed_out' } as const, OK, OK];
    for (const answer of answers) {
      while (waiting.length === 0) await settled();
      await settled(5);
      seen.push(waiting.length);
      answerAll(answer);
    }
    // Sixteen are read for the first two requests, so six are left after the first ten.
    expect(seen).toEqual([2, 8, 6, 8, 1, 2]);
    await answerUntilOver(pass, () => answerAll(OK));
  });

  test('begin no more when a request could outlast the lease, so that nothing is sent twice', async () => {
    const { take, answerAll } = deferredAnswers();
    const sender = new RecordingSender(() => take());
    const world = await openDeliveryWorld(sender);
    await world.endpoint('slow');
    for (let i = 0; i < 16; i++) await world.happens('subscription.created');
    const pass = world.deliver();
    while (sender.posts.length < 2) await settled();
    // Of the lease of 40 seconds less than the time of a request is left.
    world.clock.advance(26_000);
    answerAll({ kind: 'timed_out' });
    expect(await pass).toEqual({ delivered: 0, retrying: 2, failed: 0 });
    expect(sender.posts).toHaveLength(2);
  });
});

describe('several workers', () => {
  test('of several concurrent workers exactly one posts each delivery', async () => {
    const sender = new RecordingSender(async () => {
      await settled();
      return OK;
    });
    const world = await openDeliveryWorld(sender, { store: 'sqlite' });
    for (const name of ['a', 'b', 'c']) await world.endpoint(name);
    for (let i = 0; i < 20; i++) await world.happens('subscription.created', 'subscription.renewed');
    const passes = await Promise.all(Array.from({ length: 5 }, () => world.deliver()));
    expect(passes.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(120);
    expect(sender.posts).toHaveLength(120);
    expect(new Set(sender.posts.map((post) => headersOf(post)['webhook-id'])).size).toBe(120);
  });

  test('each event reaches each endpoint with one body, or fails after eleven attempts, even when workers die', async () => {
    const fate = fc.constantFrom<HttpOutcome | 'dies'>(
      OK,
      OK,
      { kind: 'timed_out' },
      { kind: 'failed', reason: 'ECONNRESET' },
      { kind: 'answered', status: 503, retryAfter: 3_600, excerpt: 'busy' },
      'dies',
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fate), fc.integer({ min: 1, max: 4 }), async (fates, count) => {
        const { store, close } = await openTestStore('sqlite');
        const answered = new Map<string, number>();
        const sender = new RecordingSender((post: HttpPost) => {
          const id = headersOf(post)['webhook-id'] ?? '';
          const { value } = fates.next() as { value: HttpOutcome | 'dies' };
          // The endpoint received it, and the worker never gets the answer.
          if (value === 'dies') throw new Error('The worker died.');
          answered.set(id, (answered.get(id) ?? 0) + 1);
          return value;
        });
        const world = await openDeliveryWorld(sender, { store });
        await world.endpoint('a');
        await world.endpoint('b');
        const events = [];
        for (let i = 0; i < count; i++) events.push(...(await world.happens('subscription.created')));
        for (;;) {
          await world.deliver();
          const next = await store.nextDeliveryAt();
          if (next === null) break;
          // The endpoint of a worker that died is leased for a while.
          world.clock.advance(Math.max(next.getTime() - world.clock.now().getTime(), 10_000));
        }
        const bodies = new Map<string, Set<string>>();
        for (const { body } of sender.posts) {
          const { id } = JSON.parse(body) as { id: string };
          bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
        }
        for (const event of events) {
          expect(bodies.get(event.id)?.size).toBe(1);
          const deliveries = await store.listDeliveries(event.id);
          expect(deliveries).toHaveLength(2);
          for (const delivery of deliveries) {
            expect(delivery.attempts).toBe(answered.get(delivery.id));
            expect(delivery.state).toBe(
              delivery.attempts === 11 && delivery.lastStatus !== 200 ? 'failed' : 'delivered',
            );
          }
        }
        await close();
      }),
      { numRuns: 20 },
    );
  });
});
