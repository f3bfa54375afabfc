import { HOUR } from '@subrail/test-world';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HttpOutcome } from '@subrail/core/ports';
import { verifyWebhook } from '@subrail/core/webhooks';
import { OK, RecordingSender } from '@subrail/core/testing';
import { headersOf, NOW, openDeliveryWorld } from './delivery-world.js';

const DOWN: HttpOutcome = { kind: 'answered', status: 500, retryAfter: null, excerpt: 'down' };

/** The signature as another implementation computes it. */
function expectedSignature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

describe('a delivery attempt', () => {
  test('has exactly these headers, signed by the endpoint’s secret over the raw body', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { secret } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });

    const [delivery] = await world.store.listDeliveries(event?.id as never);
    const [post] = sender.posts;
    const id = delivery?.id ?? '';
    const timestamp = String(NOW.getTime() / 1_000);
    expect(sender.posts).toHaveLength(1);
    expect(post).toEqual({
      url: 'https://a.example.com/',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Subrail/0.1.0',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': expectedSignature(secret, id, timestamp, post?.body ?? ''),
      },
      body: post?.body,
      timeoutMs: 10_000,
    });
    expect(JSON.parse(post?.body ?? '')).toMatchObject({ id: event?.id, object: 'event', network: 'devnet' });
  });

  test('is accepted by verifyWebhook', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { secret } = await world.endpoint('a');
    await world.happens('subscription.created');
    await world.deliver();
    const [post] = sender.posts;
    const { event, sentAt } = await verifyWebhook(
      { headers: headersOf(post), body: post?.body ?? '' },
      secret,
      { now: NOW },
    );
    expect(event).toEqual(JSON.parse(post?.body ?? ''));
    expect(sentAt).toEqual(NOW);
  });

  test('has the same id and bytes on a retry, with a new time and signature', async () => {
    const answers = [DOWN, OK];
    const sender = new RecordingSender(() => answers.shift() ?? OK);
    const world = await openDeliveryWorld(sender);
    const { secret } = await world.endpoint('a');
    await world.happens('subscription.created');
    expect(await world.deliver()).toEqual({ delivered: 0, retrying: 1, failed: 0 });
    world.clock.advance(59_999);
    expect(await world.deliver()).toEqual({ delivered: 0, retrying: 0, failed: 0 });
    world.clock.advance(6_001);
    expect(await world.deliver()).toEqual({ delivered: 1, retrying: 0, failed: 0 });

    const [first, second] = sender.posts.map((post) => headersOf(post));
    const [body, again] = sender.posts.map((post) => post.body);
    expect(again).toBe(body);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(second?.['webhook-timestamp']).toBe(String(NOW.getTime() / 1_000 + 66));
    expect(second?.['webhook-signature']).toBe(
      expectedSignature(
        secret,
        second?.['webhook-id'] ?? '',
        second?.['webhook-timestamp'] ?? '',
        body ?? '',
      ),
    );
  });

  // deliveries#one-delivery-per-endpoint, invariants#deliveries-repeat-the-same-bytes
  test('has the same bytes for every endpoint, under different ids', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    for (const name of ['a', 'b', 'c']) await world.endpoint(name);
    await world.happens('subscription.created');
    await world.deliver();
    expect(sender.posts).toHaveLength(3);
    expect(new Set(sender.posts.map((post) => post.body)).size).toBe(1);
    expect(new Set(sender.posts.map((post) => headersOf(post)['webhook-id'])).size).toBe(3);
  });

  // events#event-body-written-once
  test('sends a body that an earlier release wrote, unchanged', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    const written = '{ "object": "event",  "as": "it was" }';
    await world.store.saveBodiesIfAbsent([{ eventId: event?.id as never, body: written }]);
    await world.deliver();
    expect(sender.posts.map((post) => post.body)).toEqual([written]);
  });

  // events#events-list-parameters, events#events-list-bodies, events#snapshot-stored-with-its-change
  test('is what the events list and a retrieval answer', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    await world.endpoint('a');
    const events = await world.happens('subscription.created', 'subscription.renewed');
    const page = async () => world.billing.project(world.project.id).events.list({ limit: 25 });
    const before = await page();
    await world.deliver();
    const delivered = new Map(
      sender.posts.map((post) => [(JSON.parse(post.body) as { id: string }).id, post.body]),
    );
    const after = await page();
    expect(after).toEqual(before);
    expect(after.data).toHaveLength(2);
    for (const item of after.data) expect(JSON.stringify(item)).toBe(delivered.get(item.id));
    const [first] = events;
    expect(
      JSON.stringify(await world.billing.project(world.project.id).events.retrieve(first?.id ?? '')),
    ).toBe(delivered.get(first?.id ?? ''));
  });
});

// deliveries#secret-rotation-overlap
describe('a rotated secret', () => {
  // deliveries#secret-rotation-overlap
  test('signs before the old one while they overlap, and then alone, on retries too', async () => {
    const sender = new RecordingSender(() => DOWN);
    const world = await openDeliveryWorld(sender);
    const old = await world.endpoint('a');
    await world.happens('subscription.created');
    const fresh = await world.billing
      .project(world.project.id)
      .endpoints.rotateSecret(old.id, { overlap_hours: 1 });
    expect(fresh.previous_secret_expires_at).toBe('2026-10-02T09:30:00.000Z');
    expect(fresh.secret).not.toBe(old.secret);

    await world.deliver();
    // The attempts at 1, 6 and 36 minutes are within the overlap, the one at 2 h 36 min is after it.
    for (const wait of [66_000, 330_000, 1_980_000, 2.2 * HOUR]) {
      world.clock.advance(wait);
      await world.deliver();
    }
    const signers = sender.posts.map((post) => {
      const {
        'webhook-id': id = '',
        'webhook-timestamp': time = '',
        'webhook-signature': given,
      } = headersOf(post);
      const names = new Map([
        [expectedSignature(old.secret, id, time, post.body), 'old'],
        [expectedSignature(fresh.secret, id, time, post.body), 'new'],
      ]);
      return given?.split(' ').map((one) => names.get(one));
    });
    expect(signers).toEqual([['new', 'old'], ['new', 'old'], ['new', 'old'], ['new', 'old'], ['new']]);
  });

  test('replaces the old one at once without an overlap', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const old = await world.endpoint('a');
    await world.happens('subscription.created');
    const fresh = await world.billing.project(world.project.id).endpoints.rotateSecret(old.id);
    await world.deliver();
    const {
      'webhook-id': id = '',
      'webhook-timestamp': time = '',
      'webhook-signature': given,
    } = headersOf(sender.posts[0]);
    expect(given).toBe(expectedSignature(fresh.secret, id, time, sender.posts[0]?.body ?? ''));
  });

  // deliveries#secret-rotation-overlap
  test('drops the old ones at once, within an overlap too, by one more rotation without an overlap', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const leaked = await world.endpoint('a');
    const { endpoints } = world.billing.project(world.project.id);
    await endpoints.rotateSecret(leaked.id, { overlap_hours: 24 });
    const fresh = await endpoints.rotateSecret(leaked.id, { overlap_hours: 0 });
    expect(fresh.previous_secret_expires_at).toBeNull();
    await world.happens('subscription.created');
    await world.deliver();
    const {
      'webhook-id': id = '',
      'webhook-timestamp': time = '',
      'webhook-signature': given,
    } = headersOf(sender.posts[0]);
    expect(given).toBe(expectedSignature(fresh.secret, id, time, sender.posts[0]?.body ?? ''));
  });
});
