import { describe, expect, it } from 'vitest';

import { MONTH, MINUTE, DAY, PRICE, statusAndCode } from '@subrail/test-world';
import { openStopped } from './stopped-customer.js';
import { expectInvariants } from '../invariants/expect-invariants.js';

describe('a wallet whose subscription stopped', () => {
  it('approves again in the same transaction when its approval is gone', async () => {
    const { world, outside, issue, submit } = await openStopped();
    await outside.revokeApproval();
    expect((await submit(await issue())).body).toMatchObject({ subscription: { status: 'active' } });
    world.advance(MONTH - 3 * DAY);
    await world.work();
    expect((await world.events()).at(-1)).toBe('renewed');
  });

  // terms#terms-of-a-single-charge
  it("comes back on Free once the deadline passed, and near a plan's end the terms state a single charge", async () => {
    const { world, old, issue, submit, read } = await openStopped({
      tier: 'free',
      endsAfter: 3 * MONTH - DAY,
      days: 30,
    });
    expect(await read(old)).toMatchObject({ stop_reason: 'retry_deadline_passed' });
    world.advance(MINUTE);
    const checkout = await issue();
    expect(checkout.terms.message).toContain('a single charge');
    expect((await submit(checkout)).body).toMatchObject({
      subscription: { status: 'active', next_charge_at: null },
    });
  });

  it('can stop and come back again', async () => {
    const { world, wallet, issue, submit } = await openStopped();
    await submit(await issue());
    await world.take(wallet, await world.holding(wallet));
    world.advance(MONTH - 3 * DAY);
    await world.work();
    for (let day = 0; day < 3; day++) {
      world.advance(DAY);
      await world.work();
    }
    await world.give(wallet, PRICE);
    expect((await submit(await issue())).body).toMatchObject({ subscription: { status: 'active' } });
    const { body } = await world.call('GET', '/subscriptions?external_id=customer-1');
    expect(body['data']).toHaveLength(1);
  });

  // billing-periods#chain-clock-decides-due
  it.each([-90_000, 90_000])(
    'comes back and is charged on the old grid with a clock that is %i ms ahead of the chain’s',
    async (skewMs) => {
      // A host whose clock is behind the chain's reaches the boundary later.
      const { world, old, issue, submit } = await openStopped({ skewMs, days: 4 });
      const checkout = await issue();
      expect(statusAndCode(await submit(checkout))).toBe('201');
      world.advance(MONTH - 4 * DAY + 2 * Math.abs(skewMs));
      await world.work();
      expect((await world.events()).at(-1)).toBe('renewed');
      await expectInvariants(world, [old, checkout.subscription.id]);
    },
  );
});
