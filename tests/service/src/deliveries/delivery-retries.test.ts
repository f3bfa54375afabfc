import { HOUR } from '@subrail/test-world';
import { describe, expect, test } from 'vitest';
import type { HttpOutcome } from '@subrail/core/ports';
import { RecordingSender } from '@subrail/core/testing';
import { NOW, openDeliveryWorld, type DeliveryWorld } from './delivery-world.js';

const answered = (status: number): HttpOutcome => ({
  kind: 'answered',
  status,
  retryAfter: null,
  excerpt: '',
});

/** Moves the clock from one due delivery to the next, and makes each, until `days` after the start. */
async function deliverForDays(world: DeliveryWorld, days: number): Promise<void> {
  const end = NOW.getTime() + days * 24 * HOUR;
  for (;;) {
    await world.deliver();
    const next = await world.store.nextDeliveryAt();
    if (next === null || next.getTime() > end) return;
    world.clock.advanceTo(next);
  }
}

// deliveries#retry-schedule-with-backoff
describe('a delivery that keeps failing', () => {
  test('is attempted eleven times, each after its wait and at most a tenth later, then fails', async () => {
    const at: number[] = [];
    const world = await openDeliveryWorld(
      new RecordingSender(() => {
        at.push(world.clock.now().getTime());
        return { kind: 'timed_out' };
      }),
    );
    await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    await deliverForDays(world, 10);
    const waits = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / HOUR);
    const nominal = [1 / 60, 5 / 60, 0.5, 2, 12, 12, 12, 12, 12, 12];
    expect(waits).toHaveLength(10);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(nominal[index] ?? 0);
      expect(wait).toBeLessThanOrEqual((nominal[index] ?? 0) * 1.1);
    }
    const [delivery] = await world.store.listDeliveries(event?.id as never);
    expect(delivery).toMatchObject({ state: 'failed', attempts: 11, nextAttemptAt: null });
  });

  // deliveries#endpoint-failing-three-days, deliveries#endpoint-that-fails
  test('disables its endpoint with the eleventh attempt of the first delivery that failed, and pending deliveries fail', async () => {
    const world = await openDeliveryWorld(new RecordingSender(() => answered(503)));
    const { id } = await world.endpoint('a');
    const { endpoints } = world.billing.project(world.project.id);
    const [first] = await world.happens('subscription.created');
    await deliverForDays(world, 2.9);
    const [late] = await world.happens('subscription.renewed');
    await deliverForDays(world, 3.05);
    // Three days are over, and the first delivery has an attempt left.
    const failure = { failing_since: NOW.toISOString(), last_failure: { status: 503 } };
    expect(await endpoints.retrieve(id)).toMatchObject({ enabled: true, ...failure });
    expect(await endpoints.list()).toMatchObject([failure]);
    await deliverForDays(world, 3.5);
    expect(await endpoints.retrieve(id)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      failing_since: NOW.toISOString(),
      last_failure: null,
    });
    expect(await world.store.listDeliveries(first?.id as never)).toMatchObject([
      { state: 'failed', attempts: 11 },
    ]);
    const [delivery] = await world.store.listDeliveries(late?.id as never);
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(await world.store.nextDeliveryAt()).toBeNull();
    expect(world.logged()).toContainEqual(expect.stringMatching(/^An endpoint was turned off, because/));
  });

  // deliveries#endpoint-failing-three-days
  test('leaves the endpoint enabled at the next failure after a host stood still for three days', async () => {
    const world = await openDeliveryWorld(new RecordingSender(() => answered(503)));
    const { id } = await world.endpoint('a');
    const { endpoints } = world.billing.project(world.project.id);
    await world.happens('subscription.created');
    await world.deliver();
    world.clock.advance(80 * HOUR);
    await world.deliver();
    expect(await endpoints.retrieve(id)).toMatchObject({ enabled: true, failing_since: NOW.toISOString() });
    await deliverForDays(world, 7.5);
    expect(await endpoints.retrieve(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  // deliveries#endpoint-failing-three-days, deliveries#reason-of-a-disabled-endpoint
  test('starts the three days of its endpoint anew when the endpoint is disabled and enabled', async () => {
    const world = await openDeliveryWorld(new RecordingSender(() => answered(503)));
    const { id } = await world.endpoint('a');
    const { endpoints } = world.billing.project(world.project.id);
    await world.happens('subscription.created');
    await world.deliver();
    await endpoints.disable(id);
    expect(await endpoints.retrieve(id)).toMatchObject({ enabled: false, disabled_reason: null });
    expect(await endpoints.enable(id)).toMatchObject({ failing_since: null });
    world.clock.advance(72 * HOUR);
    await world.happens('subscription.renewed');
    await world.deliver();
    expect(await endpoints.retrieve(id)).toMatchObject({
      enabled: true,
      disabled_reason: null,
      failing_since: world.clock.now().toISOString(),
    });
  });
});

describe('an endpoint that was disabled by its owner', () => {
  test('gets no delivery that was pending, not even once it is enabled again', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    await world.happens('subscription.created');
    await world.billing.project(world.project.id).endpoints.disable(id);
    await world.billing.project(world.project.id).endpoints.enable(id);
    await world.deliver();
    expect(sender.posts).toEqual([]);
    await world.happens('subscription.created');
    await world.deliver();
    expect(sender.posts).toHaveLength(1);
  });

  test('gets no delivery that was stored while it was being disabled', async () => {
    const sender = new RecordingSender();
    const world = await openDeliveryWorld(sender);
    const { id } = await world.endpoint('a');
    const [event] = await world.happens('subscription.created');
    // The endpoint is disabled between the read of the endpoints and the commit of the event.
    const endpoint = await world.store.findEndpoint(world.project.id, id as never);
    if (endpoint === null) throw new Error('The store has no such endpoint.');
    await world.store.updateEndpoint({ ...endpoint, version: endpoint.version + 1, enabled: false });
    expect(await world.deliver()).toEqual({ delivered: 0, retrying: 0, failed: 1 });
    expect(sender.posts).toEqual([]);
    const [delivery] = await world.store.listDeliveries(event?.id as never);
    expect(delivery).toMatchObject({ state: 'failed', attempts: 0 });
  });
});
