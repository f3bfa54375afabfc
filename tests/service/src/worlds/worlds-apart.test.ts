import { everyTestStore, openSubscriber, PRICE, type Subscriber } from '@subrail/test-world';
import { expect, it } from 'vitest';

/** What a test can see of a world. */
const seen = async ({ world, id, read, wallet }: Subscriber) => ({
  now: world.now(),
  subscription: await read(id),
  events: await world.events(),
  held: [await world.holding(wallet), await world.holding(world.owner)],
  plans: await world.billing.project(world.projectId).plans.list(),
});

it.each(everyTestStore())('a world on %s sees nothing of what happens in another', async (store) => {
  const [one, other] = [await openSubscriber('paid', { store }), await openSubscriber('paid', { store })];
  const before = await seen(other);
  expect(before).toMatchObject({ subscription: { status: 'active' }, held: [9n * PRICE, PRICE] });
  await one.cancel(one.id);
  await one.world.take(one.wallet, PRICE);
  await one.world.publishPlan(one.world.projectId, 'second');
  await one.world.subscribe(await one.world.wallet(10n * PRICE), 'customer-2');
  expect(await one.read(one.id)).toMatchObject({ status: 'cancelled' });
  expect(await seen(other)).toEqual(before);

  const later = await openSubscriber('paid', { store });
  expect((await seen(later)).events).toEqual(before.events);
  expect(await later.world.holding(later.wallet)).toBe(9n * PRICE);
  await other.cancel(other.id);
  expect(await other.read(other.id)).toMatchObject({ status: 'cancelled' });
});
