import { expect, onTestFinished } from 'vitest';

import { actionsOf } from './actions.js';
import { bend, bent, fates, straighten } from './faulty-chain.js';
import * as checkouts from './checkouts.js';
import { missed, told, type Handed } from './checkouts.js';
import { interfere } from './fault-injection.js';
import { PRICE, openWorld, type Call, type WorldOptions } from '@subrail/test-world';

/** A world on a chain that can be bent, with one wallet that holds ten prices, and what its owner does in it. */
export async function openCustomer(options: WorldOptions = {}) {
  straighten();
  const world = await openWorld({ store: 'sqlite', chain: bent, ...options });
  onTestFinished(() => world.close());
  const wallet = await world.wallet(10n * PRICE);
  return {
    world,
    wallet,
    others: await interfere(world, wallet),
    create: (customer?: string) => checkouts.create(world, wallet, customer),
    handed: (customer?: string) => checkouts.handed(world, wallet, customer),
    transaction: (what: Handed) => checkouts.transaction(world, what),
    submit: (what: Handed) => checkouts.submit(world, wallet, what),
    /** Submits through another host. */
    submitTo: async ({ call }: { readonly call: Call }, what: Handed) =>
      call('POST', `/subscriptions/${what.subscription.id}/submit`, await checkouts.signed(wallet, what)),
    read: async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body,
    statusOf: async ({ subscription: { id } }: Handed) =>
      (await world.call('GET', `/subscriptions/${id}`)).body['status'],
    cancel: (id: string) => actionsOf(world, wallet, id).act('cancel'),
  };
}

/**
 * A customer whose second month was missed, who stopped, and whose money is back.
 * @param days how many days were worked through since the missed boundary: the last of the plan's retries is on the third
 */
export async function openStopped(options: WorldOptions = {}, days = 3) {
  const customer = await openCustomer(options);
  const { world, wallet, handed, submit, read } = customer;
  const old = await missed(world, wallet, days);
  expect(await read(old)).toMatchObject({ status: 'stopped' });
  return {
    ...customer,
    /** The stopped subscription. */
    old,
    cancelOld: async (): Promise<void> => {
      const { body } = await customer.cancel(old);
      expect(body).toMatchObject({ subscription: { status: 'cancelled' } });
    },
    /** A return that landed while the chain cannot tell so: it stays open, and the wallet goes on. */
    unseenReturn: async (): Promise<Handed> => {
      const checkout = await handed();
      let signature: string | null = null;
      bend(
        fates((outcome, ask) => {
          signature ??= ask.signature;
          return ask.signature === signature ? { kind: 'unknown' } : outcome;
        }),
      );
      expect(told(await submit(checkout))).toBe('201 nothing_landed');
      return checkout;
    },
  };
}
