// Heavy: calls wait for connections, as long as the pool lets them.

import { Unavailable } from '@subrail/core/ports';
import { issueCheckout, PRICE, signCheckout } from '@subrail/test-world';
import { expect, test } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';
import { MONTH } from '@subrail/test-world';
import { expectNothingLost, openPostgresWorld, type PostgresWorld } from './postgres-world.js';

const CONNECTIONS = 2;
const CONNECT_MS = 500;

/** Takes every connection of the store's pool, as long statements do. Returns what gives them back. */
async function takeConnections({ world }: PostgresWorld): Promise<() => Promise<void>> {
  let giveBack: () => void = () => undefined;
  const given = new Promise<void>((resolve) => (giveBack = resolve));
  const holders: Promise<void>[] = [];
  for (let taken = 0; taken < CONNECTIONS; taken++) {
    await new Promise<void>((resolve) => {
      const hold = world.store.transaction(async () => {
        resolve();
        await given;
      });
      holders.push(hold);
    });
  }
  return async () => {
    giveBack();
    await Promise.all(holders);
  };
}

// invariants#one-payment-per-period
test('while all connections are in use, requests answer unavailable and the worker waits; nothing is lost', async () => {
  const opened = await openPostgresWorld({
    poolSize: CONNECTIONS,
    timeouts: { connectMs: CONNECT_MS },
  });
  const { world, ids } = opened;
  const wallet = await world.wallet(PRICE);
  world.advance(MONTH);
  const checkout = await issueCheckout(world, wallet, 'customer-new');
  const { id } = checkout.subscription;
  const submit = async () =>
    world.call('POST', `/subscriptions/${id}/submit`, await signCheckout(wallet, checkout));

  const giveBack = await takeConnections(opened);
  const unavailable = { status: 503, body: { code: 'unavailable', retryable: true } };
  const requests = [submit(), submit(), ...ids.map((known) => world.call('GET', `/subscriptions/${known}`))];
  for (const answer of await Promise.all(requests)) expect(answer).toMatchObject(unavailable);
  await expect(world.billing.worker.charge()).rejects.toThrow(Unavailable);
  await expect(world.billing.worker.deliver()).rejects.toThrow(Unavailable);

  // Who waits when a connection is free gets it.
  const waiting = world.call('GET', `/subscriptions/${id}`);
  await giveBack();
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'pending' } });
  expect(await submit()).toMatchObject({ status: 201, body: { subscription: { status: 'active' } } });
  ids.push(id);
  await expectNothingLost(opened);
  world.forgiveErrors('No connection to the Postgres database can be made now');
  await expectInvariants(world, ids);
});

// invariants#one-payment-per-period
test('more requests and passes at once than there are connections are all served, one after the other', async () => {
  const opened = await openPostgresWorld({ poolSize: CONNECTIONS });
  const { world, ids } = opened;
  const checkouts = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const wallet = await world.wallet(PRICE);
      const checkout = await issueCheckout(world, wallet, `customer-${ids.length + number}`);
      return { wallet, checkout };
    }),
  );
  const submits = checkouts.map(async ({ wallet, checkout }) => {
    const { id } = checkout.subscription;
    const answer = await world.call(
      'POST',
      `/subscriptions/${id}/submit`,
      await signCheckout(wallet, checkout),
    );
    expect(answer).toMatchObject({ status: 201, body: { subscription: { status: 'active' } } });
    ids.push(id);
  });
  await Promise.all([...submits, world.billing.worker.charge(), world.billing.worker.deliver()]);
  await expectNothingLost(opened);
  await expectInvariants(world, ids);
});
