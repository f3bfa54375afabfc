import type { Prices } from '@subrail/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';
import { MONTH, MINUTE, openSubscriber, type TestWorld } from '@subrail/test-world';

let world: TestWorld;
let id: string;
let price: Prices['usd'];

beforeEach(async () => {
  price = async () => null;
  ({ world, id } = await openSubscriber('paid', { ports: { prices: { usd: (mint) => price(mint) } } }));
  world.advance(MONTH);
});

const amounts = async () => {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  return (body['data'] as { amount_usd: string | null }[]).map(({ amount_usd }) => amount_usd).reverse();
};

const passMinutes = async (minutes: number) => {
  world.advance(minutes * MINUTE);
  return world.billing.worker.price();
};

// attempts#amount-in-us-dollars
describe('the price of an attempt', () => {
  it('is that of the instant of the charge, and is never rewritten', async () => {
    price = async () => '1.10';
    await world.work();
    price = async () => '2';
    expect(await passMinutes(5)).toEqual({ priced: 0 });
    expect(await amounts()).toEqual([null, '5.50']);
  });

  it('is added when it comes within the hour, once, by the next pass that asks', async () => {
    await world.work();
    expect(await passMinutes(1)).toEqual({ priced: 0 });
    price = async () => '1.10';
    // Prices are asked for every five minutes.
    expect(await passMinutes(3)).toEqual({ priced: 0 });
    expect(await passMinutes(2)).toEqual({ priced: 1 });
    price = async () => '2';
    await passMinutes(5);
    expect(await amounts()).toEqual([null, '5.50']);
  });

  it('stays null when it comes after the hour', async () => {
    await world.work();
    price = async () => '1.10';
    expect(await passMinutes(61)).toEqual({ priced: 0 });
    expect(await amounts()).toEqual([null, null]);
  });

  it.each<[string, Prices['usd']]>([
    ['fails', () => Promise.reject(new Error('no price today'))],
    ['never comes', () => new Promise(() => undefined)],
    ['is no number', async () => 'a lot'],
  ])('is null when the price %s, which holds up neither the charge nor the plan', async (_, usd) => {
    price = usd;
    const before = world.now().getTime();
    await world.work();
    expect(await amounts()).toEqual([null, null]);
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
    expect((await world.call('GET', '/plans/pro')).body).toMatchObject({ amount_usd: null });
    expect(world.now().getTime() - before).toBeLessThan(10_000);
  });

  it('is added by the worker that runs until nothing is due', async () => {
    await world.work();
    price = async () => '1.10';
    world.advance(6 * MINUTE);
    await world.billing.worker.runUntilIdle();
    expect(await amounts()).toEqual([null, '5.50']);
  });
});
