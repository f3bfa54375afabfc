import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { RecordingSender } from '@subrail/core/testing';
import { headersOf, NOW, openDeliveryWorld } from './delivery-world.js';

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
