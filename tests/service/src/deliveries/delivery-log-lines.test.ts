import { RecordingSender } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { NOW, openDeliveryWorld } from './delivery-world.js';

const answered = (status: number) => ({ kind: 'answered', status, excerpt: '', retryAfter: null }) as const;

// alerts#log-of-charges-and-subscriptions
test('a failed attempt of a delivery is a line with its ids, the reason and the date of the next one', async () => {
  const world = await openDeliveryWorld(new RecordingSender(() => answered(500)));
  const { id: endpoint } = await world.endpoint('a');
  const [event] = await world.happens('subscription.created');
  await world.deliver();
  const [delivery] = await world.store.listDeliveries(event?.id as never);
  const line = world.log.entries.find(({ message }) =>
    message.startsWith('An attempt of a delivery failed.'),
  );
  expect(line).toEqual({
    level: 'info',
    message: 'An attempt of a delivery failed. It is tried again.',
    facts: {
      ...{ endpoint, project: world.project.id, subscription: event?.subscriptionId, customer: 'customer-7' },
      ...{ delivery: delivery?.id, event: event?.id, type: 'subscription.created', attempt: 1 },
      reason: 'The endpoint answered 500.',
      next_attempt_at: delivery?.nextAttemptAt?.toISOString(),
    },
  });
  expect(delivery?.nextAttemptAt?.getTime()).toBeGreaterThan(NOW.getTime());
});

// alerts#log-of-charges-and-subscriptions
test('the deliveries that fail with their endpoint are one line with their number', async () => {
  const sender = new RecordingSender(() => answered(500));
  const world = await openDeliveryWorld(sender);
  const { id: endpoint } = await world.endpoint('a');
  await world.happens('subscription.created', 'subscription.renewed');
  await world.deliver();
  await world.store.updateEndpoint({
    ...(await stored(world.store.findEndpoint(world.project.id, endpoint as never))),
    enabled: false,
  });
  world.clock.advance(24 * 3_600_000);
  await world.deliver();
  const line = world.log.entries.find(({ message }) => message.startsWith('Deliveries failed because'));
  expect(line).toEqual({
    level: 'info',
    message: 'Deliveries failed because their endpoint is disabled or deleted.',
    facts: { endpoint, project: world.project.id, deliveries: 2 },
  });
});

// alerts#log-of-charges-and-subscriptions
test.each(['disable', 'delete'] as const)(
  'an endpoint for which its owner calls %s says how many deliveries failed with it',
  async (call) => {
    const world = await openDeliveryWorld(new RecordingSender());
    const { id } = await world.endpoint('a');
    await world.happens('subscription.created');
    await world.billing.project(world.project.id).endpoints[call](id);
    expect(world.log.entries).toContainEqual({
      level: 'info',
      message: 'Deliveries failed because their endpoint is disabled or deleted.',
      facts: { endpoint: id, project: world.project.id, deliveries: 1 },
    });
  },
);

async function stored<Row extends { readonly version: number }>(read: Promise<Row | null>): Promise<Row> {
  const row = await read;
  if (row === null) throw new Error('The row is not stored.');
  return { ...row, version: row.version + 1 };
}
