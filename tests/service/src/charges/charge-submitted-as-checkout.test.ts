import type { Base64EncodedWireTransaction } from '@solana/kit';
import type { SubscriptionId } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import { sendTransaction, signMessage } from '@subrail/localnet';
import { MONTH, openSubscriber, sendsLost } from '@subrail/test-world';

/** A charge that was signed and lost, whose bytes a customer submits as a checkout. */
async function openLostCharge() {
  const customer = await openSubscriber('paid');
  const { world, wallet, id } = customer;
  world.advance(MONTH);
  world.injectFaults(sendsLost);
  await world.billing.worker.charge();
  world.clearFaults();
  const [transfer] = await world.store.listTransfers(id as SubscriptionId, 99);
  if (transfer?.kind !== 'charge') throw new Error('The subscription has no charge under way.');
  const wire = transfer.wire as Base64EncodedWireTransaction;
  return {
    ...customer,
    wire,
    submitBytes: async (): Promise<void> => {
      await world.call('POST', `/subscriptions/${id}/submit`, {
        transaction: wire,
        terms_signature: await signMessage(wallet, 'nothing'),
      });
      await world.work();
    },
  };
}

// checkout#repeated-submit-is-idempotent
describe('the bytes of a charge, submitted as a checkout', () => {
  it('leave the subscription active when they landed almost a minute after the boundary', async () => {
    const { world, id, wire, read, submitBytes } = await openLostCharge();
    world.advance(40_000);
    await sendTransaction(world.rpc, wire);
    await submitBytes();
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('raise renewed instead of created when they landed, and confirm no checkout', async () => {
    const { world, id, wire, read, submitBytes } = await openLostCharge();
    await sendTransaction(world.rpc, wire);
    await submitBytes();
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
    expect(await read(id)).toMatchObject({ confirmed_at: '2026-01-01T00:00:00.000Z' });
  });

  // retries#first-rejected-charge
  it('leave the payment late with its retries when they failed', async () => {
    const { world, wallet, id, wire, read, submitBytes } = await openLostCharge();
    await world.take(wallet, await world.holding(wallet));
    await world.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    await submitBytes();
    expect(await read(id)).toMatchObject({ status: 'unpaid', next_retry_number: 1, retries_allowed: 3 });
  });
});
