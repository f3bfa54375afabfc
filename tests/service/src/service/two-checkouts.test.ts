import type { SubscriptionId } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import { bend, dropped, fates, straighten, unsimulated, untold, waiting } from './faulty-chain.js';
import { told } from './checkouts.js';
import { openCustomer } from './customer.js';
import { expectInvariants } from './invariants.js';
import { PRICE } from '@subrail/test-world';

describe('two checkouts of one wallet that were both submitted', () => {
  it('end together: the other expires as soon as its own transaction is known not to have landed (checkout#other-checkouts-of-the-wallet)', async () => {
    const { world, handed, submit, statusOf } = await openCustomer();
    const theirs = await handed('customer-2');
    bend(dropped);
    expect(told(await submit(theirs))).toBe('201 nothing_landed');
    straighten();
    const mine = await handed('customer-1');
    expect(told(await submit(mine))).toBe('201 undefined');
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['active', 'pending']);
    const landed = world.now().getTime();
    await world.work();
    expect(await statusOf(theirs)).toBe('expired');
    expect(world.now().getTime() - landed).toBeLessThan(60_000);
    expect((await world.events()).toSorted()).toEqual(['access_granted', 'created', 'expired']);
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });

  it('end together though a fresh transaction of the other is asked for after the landing (checkout#other-checkouts-of-the-wallet)', async () => {
    const { world, handed, submit, transaction, statusOf } = await openCustomer();
    const theirs = await handed('customer-2');
    bend(dropped);
    expect(told(await submit(theirs))).toBe('201 nothing_landed');
    straighten();
    expect(told(await submit(await handed('customer-1')))).toBe('201 undefined');
    await transaction(theirs);
    await world.work();
    expect(await statusOf(theirs)).toBe('expired');
  });

  it('charge once, submitted at once: one lands, the other fails on chain and expires', async () => {
    const { world, handed, submit, create, statusOf } = await openCustomer();
    const mine = await handed('customer-1');
    const theirs = await handed('customer-2');
    bend(unsimulated);
    await Promise.all([submit(mine), submit(theirs)]);
    await world.work();
    expect([await statusOf(mine), await statusOf(theirs)].toSorted()).toEqual(['active', 'expired']);
    expect(await world.holding(world.owner)).toBe(PRICE);
    expect(told(await create())).toBe('409 already_subscribed');
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });

  it('and are looked at in one pass do not hold each other up: what landed is settled in that pass', async () => {
    const { world, handed, submit, statusOf } = await openCustomer();
    const theirs = await handed('customer-2');
    bend(dropped, waiting);
    expect(told(await submit(theirs))).toBe('201 nothing_landed');
    const [unlanded] = await world.store.listTransfers(theirs.subscription.id as SubscriptionId);
    const mine = await handed('customer-1');
    bend(untold);
    expect(told(await submit(mine))).toBe('201 nothing_landed');
    bend(fates((outcome, ask) => (ask.signature === unlanded?.signature ? { kind: 'waiting' } : outcome)));
    world.advance(5_000);
    await world.billing.worker.charge();
    expect(await statusOf(mine)).toBe('active');
  });
});

it('a checkout that landed and failed ends the other open checkouts of its wallet as well (checkout#other-checkouts-of-the-wallet)', async () => {
  const { world, others, handed, submit, statusOf } = await openCustomer({ operatorPlan: true });
  const theirs = await handed('customer-2');
  const mine = await handed('customer-1');
  bend(untold);
  await submit(mine);
  await others.cancel();
  straighten();
  await world.work();
  expect(await statusOf(mine)).toBe('failed');
  expect(await statusOf(theirs)).toBe('expired');
});
