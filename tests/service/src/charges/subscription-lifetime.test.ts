import { describe, expect, it } from 'vitest';
import { MONTH, DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

let world: TestWorld;

describe('a subscription on a local chain', () => {
  // retries#default-retry-policy, retries#last-retry-stops, access#grace-while-unpaid, events#access-event-per-change
  it('is paid, renewed, missed, recovered and stopped, with exactly these events', async () => {
    world = await openTestWorld({ store: 'sqlite' });
    const wallet = await world.wallet(2n * PRICE);
    const id = await world.subscribe(wallet);
    const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;
    expect(await read()).toMatchObject({ status: 'active', access: true, payment_status: 'paid' });
    expect(await world.events()).toEqual(['created', 'access_granted']);

    world.advance(MONTH);
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', access: true });
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
    expect(await world.holding(wallet)).toBe(0n);

    world.advance(MONTH);
    await world.work();
    expect(await read()).toMatchObject({
      status: 'unpaid',
      access: true,
      late_reason: 'insufficient_balance',
      next_retry_number: 1,
      retries_allowed: 3,
    });
    await world.give(wallet, PRICE);
    world.advance(DAY);
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', payment_status: 'paid', late_reason: null });

    world.advance(MONTH - DAY);
    await world.work();
    for (let retry = 1; retry <= 3; retry++) {
      expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: retry });
      world.advance(DAY);
      await world.work();
    }
    expect(await read()).toMatchObject({
      status: 'stopped',
      stop_reason: 'out_of_retries',
      access: false,
      payment_status: 'none',
    });
    expect(await world.events()).toEqual([
      ...['created', 'access_granted', 'renewed'],
      ...['payment_failed', 'renewed'],
      ...['payment_failed', 'payment_failed', 'payment_failed'],
      ...['payment_failed', 'stopped', 'access_revoked'],
    ]);

    const { body: attempts } = await world.call('GET', `/subscriptions/${id}/attempts`);
    expect(attempts['paid']).toEqual({ count: 3, amount: (3n * PRICE).toString() });
    expect(await world.holding(world.owner)).toBe(3n * PRICE);
  });
});
