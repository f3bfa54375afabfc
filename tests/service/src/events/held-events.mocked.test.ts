// Heavy: each test plays weeks of charges.

import type { EventWire } from '@subrail/core/schemas';
import type { HttpPost, Subscription } from '@subrail/core/ports';
import { OK, RecordingSender } from '@subrail/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

/** How many payments the subscriptions have whose snapshot cannot be made now. */
const broken = vi.hoisted(() => ({ paidCounts: [] as readonly number[] }));

type Build = (subscription: Subscription, at: object) => unknown;

// The fault is inside of core, where no port reaches.
vi.mock('../../../../packages/core/src/wire/subscription.js', async (importOriginal) => {
  const original = await importOriginal<{ readonly subscriptionWire: Build }>();
  const subscriptionWire: Build = (subscription, at) => {
    if (broken.paidCounts.includes(subscription.paidCount)) throw new Error('This release has a fault.');
    return original.subscriptionWire(subscription, at);
  };
  return { ...original, subscriptionWire };
});

const RENEWED = 'subscription.renewed';

describe('an event whose snapshot cannot be made', () => {
  let world: TestWorld;
  let posts: readonly HttpPost[];
  let id: string;

  beforeEach(async () => {
    broken.paidCounts = [];
    const sender = new RecordingSender(() => OK);
    posts = sender.posts;
    world = await openTestWorld({ store: 'sqlite', periodHours: 7 * 24, ports: { sender } });
    await world.billing
      .project(world.projectId)
      .endpoints.create({ url: 'https://hooks.example.com/', types: [RENEWED] });
    id = await world.subscribe(await world.wallet(100n * PRICE));
    await work();
  });

  afterEach(() => {
    world.forgiveErrors('snapshot');
  });

  /** Does all due work: `world.work` that of charges, which moves time where they wait for the chain. */
  const work = async (): Promise<void> => {
    await world.work();
    await world.billing.worker.runUntilIdle();
  };

  /** Charges the next period. */
  const renew = async (): Promise<void> => {
    world.advance(7 * DAY + 60_000);
    await work();
  };
  const listed = async () =>
    (await world.call('GET', '/events?type=subscription.renewed')).body['data'] as readonly EventWire[];
  const sent = () => posts.map(({ body }) => (JSON.parse(body) as EventWire).sequence);
  const alerts = () => world.billing.service.alerts.open().map(({ kind }) => kind);

  // events#held-events, events#snapshot-stored-with-its-change
  it('is held until it can, while its payment is stored, and is made from the state at its change', async () => {
    broken.paidCounts = [2];
    await renew();
    expect(
      (await world.store.listAttempts(id as never, { limit: 9, startingAfter: null })) as object,
    ).toMatchObject({
      data: [{ outcome: 'paid' }, { outcome: 'paid' }],
    });
    expect(await listed()).toEqual([]);
    expect(sent()).toEqual([]);
    expect(alerts()).toEqual(['events_held']);
    expect(world.log.entries.map(({ message }) => message)).toContain(
      'The snapshot of events could not be made. The change is stored, and the events are held until it can be.',
    );

    // The next period is paid, and its snapshot can be made. It is listed, and its delivery waits.
    await renew();
    const [later] = await listed();
    expect(later?.sequence).toBe(4);
    expect(sent()).toEqual([]);

    // A later release, which makes the snapshot, starts on the same store.
    broken.paidCounts = [];
    const restarted = world.host(world.store);
    await restarted.billing.worker.runUntilIdle();
    const [released, seen] = await listed();
    expect(seen).toEqual(later);
    expect(released).toMatchObject({ type: RENEWED, sequence: 3 });
    expect(released?.data.current_period_end).toBe(later?.data.current_period_start);
    expect(released?.data.next_charge_at).not.toBe(later?.data.next_charge_at);
    expect(sent().toSorted()).toEqual([3, 4]);
    expect(posts.map(({ body }) => JSON.parse(body) as object)).toContainEqual(released);

    // A poller that saw the later one meets the released one above it, and none twice.
    await renew();
    expect((await listed()).map(({ sequence }) => sequence)).toEqual([5, 3, 4]);
    expect(sent()).toHaveLength(3);
    await world.billing.worker.rebuildSnapshots();
    expect(alerts()).toEqual([]);
  });

  // events#held-events
  it('is tried once a minute, and waits for an earlier one that is still held', async () => {
    broken.paidCounts = [2, 3];
    await renew();
    await renew();
    const tries = () =>
      world.log.entries.filter(({ message }) => message.includes('still cannot be made')).length;
    const before = tries();
    for (let second = 0; second < 120; second++) {
      world.advance(1_000);
      await world.billing.worker.rebuildSnapshots();
    }
    expect(tries() - before).toBe(2);

    broken.paidCounts = [2];
    world.advance(60_000);
    await work();
    expect((await listed()).map(({ sequence }) => sequence)).toEqual([4]);
    expect(sent()).toEqual([]);
    broken.paidCounts = [];
    world.advance(60_000);
    await work();
    expect((await listed()).map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(sent().toSorted()).toEqual([3, 4]);
  });

  // events#held-events
  it('holds up no later one that is sent by hand to an endpoint which has no delivery of it', async () => {
    broken.paidCounts = [2];
    await renew();
    await renew();
    const { deliveries, endpoints } = world.billing.project(world.projectId);
    const [later] = await listed();
    const event = later?.id ?? '';
    const [waiting] = await endpoints.list();
    await deliveries.resend({ event, endpoint: waiting?.id ?? '' });
    await work();
    expect(sent()).toEqual([]);

    const fresh = await endpoints.create({ url: 'https://other.example.com/', types: [RENEWED] });
    await deliveries.resend({ event, endpoint: fresh.id });
    await work();
    expect(posts.map(({ url }) => url)).toEqual(['https://other.example.com/']);
  });

  // events#held-events
  it('leaves the events of other subscriptions as they are', async () => {
    const other = await world.subscribe(await world.wallet(100n * PRICE));
    await renew();
    broken.paidCounts = [3];
    const third = await world.subscribe(await world.wallet(100n * PRICE));
    await renew();
    const renewed = await listed();
    expect(renewed.filter(({ data }) => data.id === third)).toHaveLength(1);
    expect(renewed.filter(({ data }) => data.id === other)).toHaveLength(1);
    expect(sent()).toHaveLength(3);
  });
});
