import { describe, expect, it } from 'vitest';
import type { Billing } from '@subrail/core';
import type { EventType } from '@subrail/core/schemas';
import type { FullStore, HttpOutcome, Session } from '@subrail/core/ports';
import { aLink, anId, aSession, OK, RecordingSender, withCapabilities } from '@subrail/core/testing';
import { DAY, openTestWorld, PRICE } from '@subrail/test-world';
import { openDeliveryWorld } from '../deliveries/delivery-world.js';

/** Runs the pass until its run is over, and returns how many calls that took and what they deleted. */
async function prune({ worker }: Billing) {
  const total = { calls: 0, deliveries: 0, events: 0, checkouts: 0, visits: 0, sessions: 0 };
  for (;;) {
    const { finished, deliveries, events, checkouts, visits, sessions } = await worker.prune();
    total.calls += 1;
    total.deliveries += deliveries;
    total.events += events;
    total.checkouts += checkouts;
    total.visits += visits;
    total.sessions += sessions;
    if (finished) return total;
  }
}

describe('what is older than 30 days', () => {
  async function openWorld(answer: () => HttpOutcome = () => OK) {
    const world = await openDeliveryWorld(new RecordingSender(answer), { store: 'sqlite' });
    await world.endpoint('a');
    const listed = async () => {
      const page = await world.billing.project(world.project.id).events.list({ limit: 100 });
      return page.data.map(({ id }) => id);
    };
    const { billing, clock, store, project } = world;
    return {
      ...{ billing, clock, store, project, listed },
      deliver: () => world.deliver(),
      happens: (...types: readonly EventType[]) => world.happens(...types),
    };
  }

  // events#event-retention, events#available-since, deliveries#delivery-retention
  it('is deleted once a day: events with their deliveries, and no younger ones', async () => {
    const { billing, clock, store, project, deliver, happens, listed } = await openWorld();
    const [old] = await happens('subscription.created');
    await deliver();
    clock.advance(DAY);
    const [young] = await happens('subscription.created');
    await deliver();
    clock.advance(29 * DAY);
    expect(await listed()).toEqual([young?.id, old?.id]);
    expect(await prune(billing)).toMatchObject({ deliveries: 0, events: 0 });

    clock.advance(1);
    expect(await listed()).toEqual([young?.id]);
    // The next run is a day after the first one.
    expect(await prune(billing)).toMatchObject({ calls: 1, deliveries: 0, events: 0 });
    clock.advance(DAY - 2);
    expect(await prune(billing)).toMatchObject({ calls: 1, events: 0 });
    clock.advance(1);
    expect(await prune(billing)).toMatchObject({ deliveries: 1, events: 1 });
    expect(await store.findEvent(project.id, old?.id as never)).toBeNull();
    expect(await store.listDeliveries(old?.id as never)).toEqual([]);
    expect(await store.listDeliveries(young?.id as never)).toHaveLength(1);
    expect(await listed()).toEqual([young?.id]);
  });

  // events#event-retention
  it('stays while a delivery of it is pending, as after a jump in time, and is delivered', async () => {
    const answers: HttpOutcome[] = [{ kind: 'timed_out' }];
    const { billing, clock, store, project, deliver, happens } = await openWorld(() => answers.shift() ?? OK);
    const [event] = await happens('subscription.created');
    await deliver();
    clock.advance(40 * DAY);
    expect(await prune(billing)).toMatchObject({ events: 0, deliveries: 0 });
    expect(await deliver()).toMatchObject({ delivered: 1 });
    clock.advance(DAY);
    expect(await prune(billing)).toMatchObject({ events: 1 });
    expect(await store.findEvent(project.id, event?.id as never)).toBeNull();
  });

  // events#event-retention
  it('is deleted in batches of 500, between which others are served', async () => {
    const { billing, clock, deliver, happens } = await openWorld();
    for (let made = 0; made < 12; made++)
      await happens(...Array.from({ length: 100 }, () => 'subscription.created' as const));
    for (let left = 1_200; left > 0;) left -= (await deliver()).delivered;
    clock.advance(31 * DAY);
    const { worker } = billing;
    const calls = [];
    do calls.push(await worker.prune());
    while (calls.at(-1)?.finished !== true);
    expect(calls.map(({ deliveries, events }) => [deliveries, events])).toEqual([
      [500, 0],
      [500, 0],
      [200, 0],
      [0, 500],
      [0, 500],
      [0, 200],
      [0, 0],
    ]);
  });
});

// deliveries#test-delivery, deliveries#delivery-retention
it('a test whose process died holds up the next one for a minute, is failed, and is deleted 30 days later', async () => {
  const sender: RecordingSender = new RecordingSender(() =>
    sender.posts.length === 1 ? new Promise(() => undefined) : OK,
  );
  const world = await openDeliveryWorld(sender, { store: 'sqlite' });
  const { billing, clock, project } = world;
  const { id } = await world.endpoint('a');
  const { endpoints, deliveries } = billing.project(project.id);
  void endpoints.test(id);
  while (sender.posts.length === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(60_000 - 1);
  await expect(endpoints.test(id)).rejects.toMatchObject({ code: 'conflict' });
  await prune(billing);
  expect((await deliveries.list()).data).toMatchObject([{ state: 'pending' }]);

  clock.advance(2);
  expect(await endpoints.test(id)).toMatchObject({ state: 'delivered' });
  clock.advance(DAY);
  await prune(billing);
  const [, unfinished] = (await deliveries.list()).data;
  expect(unfinished).toMatchObject({
    state: 'failed',
    attempts: 0,
    last_status: null,
    last_excerpt: 'The attempt was never finished: the process that made it ended before.',
    settled_at: clock.now().toISOString(),
  });
  clock.advance(30 * DAY);
  // The one that was delivered goes first, and the unfinished one 30 days after it was failed.
  expect(await prune(billing)).toMatchObject({ deliveries: 1 });
  clock.advance(DAY);
  expect(await prune(billing)).toMatchObject({ deliveries: 1 });
  expect((await deliveries.list()).data).toEqual([]);
});

describe('an expired checkout', () => {
  // checkout#retention-of-expired-checkouts
  it('is deleted 30 days after it expired unless it was submitted', async () => {
    const world = await openTestWorld({ store: 'sqlite' });
    const wallet = await world.wallet(10n * PRICE);
    const create = { plan: 'pro', wallet: wallet.address, external_id: 'reader-1' };
    const { body } = await world.call('POST', '/subscriptions', create);
    const { id } = body['subscription'] as { id: string };
    world.advance(31 * 60_000);
    await world.work();
    const read = async () => (await world.call('GET', `/subscriptions/${id}`)).status;
    world.advance(30 * DAY - 1_000);
    await prune(world.billing);
    expect(await read()).toBe(200);
    world.advance(DAY + 1_000);
    expect(await prune(world.billing)).toMatchObject({ events: 1, checkouts: 1 });
    expect(await read()).toBe(404);
    const { status } = await world.call('POST', '/subscriptions', create);
    expect(status).toBe(201);
  });
});

describe('a session of a customer', () => {
  const openWorld = async () => {
    const world = await openTestWorld({ store: 'sqlite' });
    const { store } = world;
    const { id: planId, projectId } = await world.plan('pro');
    const now = world.now();
    const link = aLink({ projectId, planId, createdAt: now, endedAt: now });
    await store.insertLink(link);
    const insert = async (given: Partial<Session> = {}) => {
      const expiresAt = new Date(now.getTime() + DAY);
      const session = aSession({ projectId, createdAt: now, expiresAt, ...given });
      await store.insertSession(session);
      return session;
    };
    const isLeft = async ({ secretHash }: Session) => (await store.findSessionBySecret(secretHash)) !== null;
    return { world, link, insert, isLeft };
  };

  // checkout-sessions#retention-of-sessions
  it('is deleted 30 days after it expired, and the link that opened it stays', async () => {
    const { world, link, insert, isLeft } = await openWorld();
    const { billing, store } = world;
    const old = await insert({ linkId: link.id });
    const later = await insert({ expiresAt: new Date(old.expiresAt.getTime() + DAY) });
    await store.submitForSession(old.id, anId('sub'), world.now());
    expect(await prune(billing)).toMatchObject({ sessions: 0 });
    world.advance(31 * DAY);
    // By the instant itself, it is 30 days and no more.
    expect(await prune(billing)).toMatchObject({ sessions: 0 });
    expect(await isLeft(old)).toBe(true);
    world.advance(DAY);
    expect(await prune(billing)).toMatchObject({ sessions: 1 });
    expect([await isLeft(old), await isLeft(later)]).toEqual([false, true]);
    expect(await store.listSessionSubscriptions(old.id)).toEqual([]);
    expect(await store.findLink(link.id)).toEqual(link);
  });

  // checkout-sessions#retention-of-sessions
  it('that a link opened, and that submitted nothing, is deleted one day after it expired', async () => {
    const { world, link, insert, isLeft } = await openWorld();
    const [visit, paid, ofServer] = [
      await insert({ linkId: link.id }),
      await insert({ linkId: link.id }),
      await insert(),
    ];
    const { store } = world;
    const subscriptionId = anId('sub');
    await store.reserveForSession({ sessionId: visit.id, subscriptionId, reservedAt: world.now() });
    await store.submitForSession(paid.id, anId('sub'), world.now());
    world.advance(2 * DAY);
    expect(await prune(world.billing)).toMatchObject({ visits: 0 });
    world.advance(DAY);
    expect(await prune(world.billing)).toMatchObject({ visits: 1, sessions: 0 });
    expect(await Promise.all([visit, paid, ofServer].map(isLeft))).toEqual([false, true, true]);
  });

  it('is deleted by a store that deletes nothing else, and stays in one without sessions', async () => {
    const { world, insert, isLeft } = await openWorld();
    const session = await insert();
    world.advance(40 * DAY);
    const without = withCapabilities(world.store, ['RetentionStore']) as FullStore;
    expect(await prune(world.host(without).billing)).toMatchObject({ sessions: 0 });
    expect(await isLeft(session)).toBe(true);
    const only = withCapabilities(world.store, ['SessionStore']) as FullStore;
    expect(await prune(world.host(only).billing)).toMatchObject({ sessions: 1, deliveries: 0, events: 0 });
    expect(await isLeft(session)).toBe(false);
  });
});
