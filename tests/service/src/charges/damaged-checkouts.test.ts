import type { FullStore } from '@subrail/core/ports';
import {
  issueCheckout,
  MINUTE,
  MONTH,
  openSubscriber,
  outcomesUnknown,
  PRICE,
  type IssuedCheckout,
} from '@subrail/test-world';
import { expect, it } from 'vitest';

const DAMAGE = 'The column paid_amount is no number.';

/** A wallet whose charge falls due while a method of the store meets a damaged row of a customer. */
async function openDamaged(damaged: 'findSubscription' | 'listByWalletAndPlan' | 'listTransfers') {
  let isDamaged = false;
  const fails = (store: FullStore) => ({
    ...store,
    [damaged]: (...given: unknown[]) =>
      isDamaged
        ? Promise.reject(new Error(DAMAGE))
        : (store[damaged] as (...given: unknown[]) => unknown)(...given),
  });
  const customer = await openSubscriber('paid', { wrapStore: fails });
  const { world } = customer;
  await world.publishPlan(world.projectId, 'basic');
  const other = await world.wallet(10n * PRICE);
  await world.subscribe(other);
  return {
    ...customer,
    expectCharged: async () => {
      isDamaged = true;
      await world.billing.worker.charge();
      expect(await world.holding(other)).toBe(8n * PRICE);
      world.forgiveErrors(DAMAGE);
    },
  };
}

// invariants#damaged-row-set-aside
it.each(['findSubscription', 'listByWalletAndPlan'] as const)(
  'a row of a change of plan that %s cannot read holds up no charge of another subscription',
  async (damaged) => {
    const { world, wallet, id, submit, expectCharged } = await openDamaged(damaged);
    world.advance(MONTH - MINUTE / 2);
    const change = { plan: 'basic', wallet: wallet.address, replaces: id };
    const { body } = await world.call('POST', '/subscriptions', change);
    world.injectFaults(outcomesUnknown);
    await submit(body as unknown as IssuedCheckout);
    world.clearFaults();
    await expectCharged();
  },
);

// invariants#damaged-row-set-aside
it('a row of a checkout that expires holds up no charge of another subscription', async () => {
  const { world, expectCharged } = await openDamaged('listTransfers');
  world.advance(MONTH - 30 * MINUTE);
  await issueCheckout(world, await world.wallet(PRICE));
  world.advance(31 * MINUTE);
  await expectCharged();
});
