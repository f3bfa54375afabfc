import type { SubscriptionId } from '@subrail/core/ports';
import {
  MONTH,
  openSubscriber,
  type Subscriber,
  changeOutcomes,
  historySilent,
  PRICE,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';

/** A node that has lost the transactions which it is asked for by their signatures. */
const signaturesForgotten = changeOutcomes(() => ({ kind: 'not_found' }));

/** The attempts after the first payment, oldest first. */
async function attempts({ world, id }: Subscriber) {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  return [...(body['data'] as Record<string, unknown>[])].reverse().slice(1);
}

// attempts#history-of-the-account
describe('a charge that landed and is not found by its signature', () => {
  it('is paid with its signature, amount and received, once the account shows the period as paid', async () => {
    const subscriber = await openSubscriber('paid');
    const { world, id } = subscriber;
    world.advance(MONTH);
    world.injectFaults(signaturesForgotten);
    await world.work();
    const [charge] = await world.store.listTransfers(id as SubscriptionId, 99);
    expect(charge).toMatchObject({ kind: 'charge', state: 'landed' });
    expect(await attempts(subscriber)).toMatchObject([
      {
        outcome: 'paid',
        signature: charge?.signature,
        amount: PRICE.toString(),
        amount_received: PRICE.toString(),
        period_start: '2026-01-31T00:00:00.000Z',
      },
    ]);
    expect((await world.events()).slice(2)).toEqual(['renewed']);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
    await expectInvariants(world, [id]);
  });

  it('is blocked as transport, and not taken for the payment of others, while the history cannot be read', async () => {
    const subscriber = await openSubscriber('paid');
    const { world, id } = subscriber;
    world.advance(MONTH);
    world.injectFaults(signaturesForgotten, historySilent);
    await world.work();
    expect(await attempts(subscriber)).toMatchObject([{ outcome: 'blocked', reason: 'transport' }]);
    world.clearFaults();
    world.advance(10 * 60_000);
    await world.work();
    expect(await attempts(subscriber)).toMatchObject([{ outcome: 'blocked' }, { outcome: 'paid' }]);
    await expectInvariants(world, [id]);
  });
});

// attempts#account-remade-on-the-same-grid
it('a subscription that was closed and made again on the same second of the grid ends, and is not charged', async () => {
  const { world, outside, id, read } = await openSubscriber('paid');
  await outside.cancel();
  world.advance(MONTH - 2_000);
  await outside.remake();
  await world.work();
  expect(await read(id)).toMatchObject({ status: 'ended', end_reason: 'closed_elsewhere' });
  expect(await world.holding(world.owner)).toBe(PRICE);
});
