import type { SubscriptionId } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import {
  openCustomer,
  changeOutcomes,
  outcomesPending,
  outcomesUnknown,
  PRICE,
  sendsLost,
  simulationsPass,
  statusAndCode,
} from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

describe('two checkouts of one wallet that were both submitted', () => {
  // checkout#other-checkouts-of-the-wallet, checkout#one-open-transaction-per-checkout
  it('are both settled: one turns active, and the other expires as soon as its transaction is known not to have landed', async () => {
    const { world, issue, submit, statusOf } = await openCustomer();
    const theirs = await issue('customer-2');
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await submit(theirs))).toBe('201 nothing_landed');
    world.clearFaults();
    const mine = await issue('customer-1');
    expect(statusAndCode(await submit(mine))).toBe('201');
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['active', 'pending']);
    const landedAt = world.now().getTime();
    await world.work();
    expect(await statusOf(theirs)).toBe('expired');
    expect(world.now().getTime() - landedAt).toBeLessThan(60_000);
    expect((await world.events()).toSorted()).toEqual(['access_granted', 'created', 'expired']);
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });

  // checkout#other-checkouts-of-the-wallet
  it('are both settled, even when a fresh transaction is requested for one after the other landed', async () => {
    const { world, issue, submit, transaction, statusOf } = await openCustomer();
    const theirs = await issue('customer-2');
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await submit(theirs))).toBe('201 nothing_landed');
    world.clearFaults();
    expect(statusAndCode(await submit(await issue('customer-1')))).toBe('201');
    await transaction(theirs);
    await world.work();
    expect(await statusOf(theirs)).toBe('expired');
  });

  it('charge once when submitted concurrently: one lands, the other fails on chain and expires', async () => {
    const { world, issue, submit, create, statusOf } = await openCustomer();
    const mine = await issue('customer-1');
    const theirs = await issue('customer-2');
    world.injectFaults(simulationsPass);
    await Promise.all([submit(mine), submit(theirs)]);
    await world.work();
    expect([await statusOf(mine), await statusOf(theirs)].toSorted()).toEqual(['active', 'expired']);
    expect(await world.holding(world.owner)).toBe(PRICE);
    expect(statusAndCode(await create())).toBe('409 already_subscribed');
    await expectInvariants(world, [mine.subscription.id, theirs.subscription.id]);
  });

  it('do not delay each other in one pass: the one that landed is settled while the other may still land', async () => {
    const { world, issue, submit, statusOf } = await openCustomer();
    const theirs = await issue('customer-2');
    world.injectFaults(sendsLost, outcomesPending);
    expect(statusAndCode(await submit(theirs))).toBe('201 nothing_landed');
    const [theirTransfer] = await world.store.listTransfers(theirs.subscription.id as SubscriptionId, 99);
    const mine = await issue('customer-1');
    world.injectFaults(outcomesUnknown);
    expect(statusAndCode(await submit(mine))).toBe('201 nothing_landed');
    world.injectFaults(
      changeOutcomes((outcome, query) =>
        query.signature === theirTransfer?.signature ? { kind: 'waiting' } : outcome,
      ),
    );
    world.advance(5_000);
    await world.billing.worker.charge();
    expect(await statusOf(mine)).toBe('active');
  });
});

// checkout#other-checkouts-of-the-wallet
it('a checkout that failed after it landed still expires the other open checkouts of its wallet', async () => {
  const { world, outside, issue, submit, statusOf } = await openCustomer({ operatorPlan: true });
  const theirs = await issue('customer-2');
  const mine = await issue('customer-1');
  world.injectFaults(outcomesUnknown);
  await submit(mine);
  await outside.cancel();
  world.clearFaults();
  await world.work();
  expect(await statusOf(mine)).toBe('failed');
  expect(await statusOf(theirs)).toBe('expired');
});
