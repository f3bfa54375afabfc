import type { KeyPairSigner } from '@solana/kit';
import { MONTH, DAY, openSubscriber, PRICE, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;

beforeEach(async () => {
  ({ world, wallet, id } = await openSubscriber('late'));
});

const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;

describe('the automatic retries of a late payment', () => {
  // retries#policy-change
  it('keep their number and wait when the policy changes, which applies from the next failed charge', async () => {
    const before = await read();
    expect(before).toMatchObject({ status: 'unpaid', next_retry_number: 1, retries_allowed: 3 });
    const plan = await world.plan('pro');
    const retryPolicy = { attempts: 5, waitMs: 2 * DAY };
    expect(await world.store.updatePlan({ ...plan, version: plan.version + 1, retryPolicy })).not.toBe(
      'lost',
    );
    expect(await read()).toMatchObject({ retries_allowed: 3, next_retry_at: before['next_retry_at'] });
    world.advance(DAY);
    await world.work();
    expect(await read()).toMatchObject({ next_retry_number: 2, retries_allowed: 3 });

    await world.give(wallet, PRICE);
    world.advance(DAY);
    await world.work();
    expect(await read()).toMatchObject({ status: 'active' });
    world.advance(MONTH - 2 * DAY);
    await world.work();
    expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: 1, retries_allowed: 5 });
  });

  // retries#second-missed-period
  it('start over when the charge of a later period is rejected too', async () => {
    world.advance(DAY);
    await world.work();
    expect(await read()).toMatchObject({ status: 'unpaid', next_retry_number: 2, retries_allowed: 3 });
    // No worker runs until a period later.
    world.advance(MONTH);
    await world.work();
    expect(await read()).toMatchObject({
      status: 'unpaid',
      next_retry_number: 1,
      retries_allowed: 3,
      access: false,
    });
  });
});
