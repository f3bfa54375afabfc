import { HOUR } from '@subrail/test-world';
import { aDeliveryAttempt, ManualClock, RecordingSender } from '@subrail/core/testing';
import { expect, it } from 'vitest';
import { NOW, openDeliveryWorld } from './delivery-world.js';

// clocks#dates-of-a-clock-that-was-ahead
it('what waits by a clock that was ahead is due after a few calls, 500 deliveries at each, and a retry stays', async () => {
  let hostClock = new ManualClock(new Date(NOW.getTime() + 8 * HOUR));
  const sender = new RecordingSender(() => ({ kind: 'timed_out' }));
  const world = await openDeliveryWorld(sender, {
    store: 'sqlite',
    wallClock: { now: () => hostClock.now(), sleep: (ms, signal) => hostClock.sleep(ms, signal) },
  });
  const { billing, clock, store } = world;
  const { id: endpointId } = await world.endpoint('a');
  const ahead = [];
  for (let made = 0; made < 7; made++)
    ahead.push(
      ...(await world.happens(...Array.from({ length: 100 }, () => 'subscription.created' as const))),
    );
  hostClock = clock;
  const [retried] = await world.happens('subscription.created');
  expect(await world.deliver()).toMatchObject({ delivered: 0, retrying: 1 });
  const retryOf = async () => (await store.listDeliveries(retried?.id as never))[0];
  // A retry that comes just before the others would, so that the first batch meets it.
  const retryAt = new Date(NOW.getTime() + 8 * HOUR - 1);
  const retry = await retryOf();
  if (retry === undefined) throw new Error('The delivery that is retried is not in the store.');
  const attempts = retry.attempts + 1;
  await store.settleDeliveries([
    {
      delivery: { ...retry, attempts, nextAttemptAt: retryAt },
      wasDueAt: retry.nextAttemptAt,
      attempt: aDeliveryAttempt({ deliveryId: retry.id, number: attempts, startedAt: NOW }),
    },
  ]);

  const due = async () =>
    (await store.listDueDeliveries(endpointId as never, clock.now(), 1_000, retryAt)).due;
  const dueAfterPrune = async () => {
    const { finished } = await billing.worker.prune();
    return { finished, due: (await due()).length };
  };
  expect(await dueAfterPrune()).toEqual({ finished: true, due: 0 });
  clock.advance(45_000);
  expect(await dueAfterPrune()).toEqual({ finished: false, due: 499 });
  clock.advance(1_000);
  expect(await dueAfterPrune()).toEqual({ finished: true, due: 700 });
  expect((await due()).map(({ event }) => event.id).sort()).toEqual(ahead.map(({ id }) => id).sort());
  expect((await retryOf())?.nextAttemptAt).toEqual(retryAt);
});
