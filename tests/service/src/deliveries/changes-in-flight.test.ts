import { describe, expect, test } from 'vitest';
import type { ProjectBilling } from '@subrail/core';
import type { EventType } from '@subrail/core/schemas';
import type { HttpOutcome, FullStore } from '@subrail/core/ports';
import { verifyWebhook } from '@subrail/core/webhooks';
import { OK, RecordingSender } from '@subrail/core/testing';
import { settled } from '@subrail/test-world';
import { headersOf, openDeliveryWorld } from './delivery-world.js';

const BACKLOG = Array<EventType>(16).fill('subscription.renewed');

/** A backlog, whose first requests are answered when its endpoint was changed and a second has gone by. */
async function sendBacklog(change: (endpoints: ProjectBilling['endpoints'], id: string) => Promise<unknown>) {
  let changed: Promise<void> | null = null;
  const sender = new RecordingSender(async () => {
    changed ??= change(endpoints, id).then(() => world.clock.advance(1_000));
    await changed;
    return OK;
  });
  const world = await openDeliveryWorld(sender);
  const { endpoints } = world.billing.project(world.project.id);
  const { id } = await world.endpoint('a');
  await world.happens(...BACKLOG);
  await world.deliver();
  return { posts: sender.posts, now: world.clock.now() };
}

// deliveries#change-of-an-endpoint-in-use
describe('while a backlog is sent to an endpoint', () => {
  test('a secret that was rotated away no longer signs a second later', async () => {
    let secret = '';
    const { posts, now } = await sendBacklog(async (endpoints, id) => {
      ({ secret } = await endpoints.rotateSecret(id, { overlap_hours: 0 }));
    });
    expect(posts).toHaveLength(BACKLOG.length);
    for (const post of posts.slice(2))
      await verifyWebhook({ headers: headersOf(post), body: post.body }, secret, { now });
  });

  test.each(['disable', 'delete'] as const)('nothing is sent a second after a call of %s', async (call) => {
    const { posts } = await sendBacklog((endpoints, id) => endpoints[call](id));
    expect(posts).toHaveLength(2);
  });

  test('what happens after it was enabled again is sent, though an attempt from before is still in flight', async () => {
    let answerSecond: (outcome: HttpOutcome) => void = () => undefined;
    const sender = new RecordingSender(() => {
      if (sender.posts.length === 1) return { ...OK, status: 410 };
      if (sender.posts.length > 2) return OK;
      return new Promise((resolve) => (answerSecond = resolve));
    });
    const world = await openDeliveryWorld(sender);
    const { endpoints } = world.billing.project(world.project.id);
    const { id } = await world.endpoint('a');
    await world.happens('subscription.created', 'subscription.renewed');
    const pass = world.deliver();
    while ((await endpoints.retrieve(id)).enabled) await settled();
    await endpoints.enable(id);
    const [event] = await world.happens('subscription.created');
    answerSecond(OK);
    await pass;
    expect(await world.store.listDeliveries(event?.id as never)).toMatchObject([{ state: 'delivered' }]);
  });
});

// deliveries#slow-endpoint-isolation
test('deliveries to many endpoints leave connections of the store to others', async () => {
  let [running, most] = [0, 0];
  const counting = (store: FullStore): FullStore =>
    new Proxy(store, {
      get: (_, name) => {
        const method: unknown = Reflect.get(store, name);
        if (typeof method !== 'function') return method;
        return async (...given: readonly unknown[]) => {
          most = Math.max(most, (running += 1));
          try {
            return (await Reflect.apply(method, store, given)) as unknown;
          } finally {
            running -= 1;
          }
        };
      },
    });
  const sender = new RecordingSender(() => OK);
  const world = await openDeliveryWorld(sender, { wrapStore: counting });
  for (let endpoint = 0; endpoint < 16; endpoint++) await world.endpoint(`endpoint-${endpoint}`);
  await world.happens(...BACKLOG);
  most = 0;
  await world.deliver();
  expect(sender.posts).toHaveLength(16 * BACKLOG.length);
  expect(most).toBe(6);
});

// deliveries#slow-endpoint-isolation
test('an endpoint that is claimed again before its release was answered is served again', async () => {
  const sender = new RecordingSender(() => OK);
  let releases = 0;
  let claims = 0;
  const answeringLate = (store: FullStore): FullStore => ({
    ...store,
    async claimEndpoints(...given) {
      const answer = await store.claimEndpoints(...given);
      claims += 1;
      return answer;
    },
    async releaseEndpoint(id, leasedUntil) {
      await store.releaseEndpoint(id, leasedUntil);
      if ((releases += 1) > 1) return;
      await world.happens('subscription.renewed');
      while (!world.clock.sleeping) await settled();
      const before = claims;
      world.clock.advance(500);
      while (claims === before) await settled();
      await settled();
    },
  });
  const world = await openDeliveryWorld(sender, { wrapStore: answeringLate });
  await world.endpoint('a');
  await world.happens('subscription.created');
  expect(await world.deliver()).toEqual({ delivered: 2, retrying: 0, failed: 0 });
});
