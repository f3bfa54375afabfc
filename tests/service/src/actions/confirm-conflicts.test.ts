import type { FullStore } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';

import {
  MONTH,
  openSubscriber,
  type Action,
  actionsOf,
  changeOutcomes,
  outcomesPending,
  PRICE,
} from '@subrail/test-world';

/** A subscribed wallet whose confirmations go to a host on a store that the test controls. */
async function openConfirming() {
  const customer = await openSubscriber('paid');
  const { world, wallet, id } = customer;
  const confirmOn = (commit: FullStore['commit'], action: Action, signature: string) =>
    world
      .host({ ...world.store, commit })
      .call('POST', `/subscriptions/${id}/${action}/confirm`, { signature });
  return {
    ...customer,
    ...actionsOf(world, wallet, id),
    confirmOn,
    /** Runs `meanwhile` between a confirmation's read of the chain and its commit. */
    confirmAfter: (meanwhile: () => Promise<void>, action: Action, signature: string) => {
      let hasRun = false;
      return confirmOn(
        async (changes, figures) => {
          if (!hasRun) await meanwhile();
          hasRun = true;
          return world.store.commit(changes, figures);
        },
        action,
        signature,
      );
    },
  };
}

describe('a confirmation that conflicts with another change between its read of the chain and its commit', () => {
  it('answers subscription_changed when a cancelled subscription ended, and leaves it as it is', async () => {
    const { world, sent, confirmAfter } = await openConfirming();
    const end = async () => {
      world.advance(MONTH);
      await world.billing.worker.charge();
    };
    expect(await confirmAfter(end, 'cancel', await sent('cancel'))).toMatchObject({
      body: { subscription: { status: 'ended' }, reason_code: 'subscription_changed' },
    });
    expect((await world.events()).slice(2)).toEqual(['access_revoked', 'ended']);
  });

  it('answers subscription_not_cancelled when the subscription ended before its resume', async () => {
    const { world, outside, act, sent, confirmAfter } = await openConfirming();
    await act('cancel');
    const end = async () => {
      await outside.cancel();
      world.advance(MONTH);
      await world.billing.worker.charge();
    };
    expect(await confirmAfter(end, 'resume', await sent('resume'))).toMatchObject({
      body: { subscription: { status: 'ended' }, reason_code: 'subscription_not_cancelled' },
    });
  });

  // cancel-resume-close#confirm-wait-of-ninety-seconds
  it('is tried again at every look-up of the 90 seconds while others change the subscription', async () => {
    const { world, sent, confirmOn } = await openConfirming();
    const signature = await sent('cancel');
    let lost = 0;
    const loseCommits: FullStore['commit'] = (changes, figures) => {
      if (lost === 100) return world.store.commit(changes, figures);
      lost += 1;
      return Promise.resolve('lost');
    };
    const began = world.now().getTime();
    await confirmOn(loseCommits, 'cancel', signature);
    const waited = world.now().getTime() - began;
    // The first try is made at once.
    expect({ lost, waited }).toEqual({ lost: 26, waited: 90_000 });
  });
});

describe('a confirmation while a charge is under way', () => {
  // cancel-resume-close#confirm-wait-of-ninety-seconds
  it.each([
    ['is known', outcomesPending],
    // One look-up without it proves nothing: the node may be behind (attempts#lost-transaction).
    ['is known, though a look-up does not find it', changeOutcomes(() => ({ kind: 'not_found' }))],
  ])(
    'settles nothing until the outcome of the charge %s, and then records its payment first',
    async (_, fault) => {
      const { world, id, confirm, sent } = await openConfirming();
      world.advance(MONTH);
      world.injectFaults(fault);
      await world.billing.worker.charge();
      const signature = await sent('cancel');
      const began = world.now().getTime();
      expect((await confirm('cancel', signature)).body).toMatchObject({
        subscription: { status: 'active' },
        reason_code: 'subscription_changed',
      });
      expect(world.now().getTime() - began).toBe(90_000);

      world.clearFaults();
      expect((await confirm('cancel', signature)).body).toMatchObject({
        subscription: { status: 'cancelled' },
      });
      const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
      expect(body['paid']).toEqual({ count: 2, amount: String(2n * PRICE) });
      expect((await world.events()).slice(2)).toEqual(['renewed', 'cancelled']);
    },
  );
});
