// Heavy: servers are stopped, killed and started again.

import type { KeyPairSigner } from '@solana/kit';
import { openPostgresStore } from '@subrail/adapters/postgres';
import { Unavailable } from '@subrail/core/ports';
import { openNetwork, startPostgres, startStandby, type PostgresServer } from '@subrail/test-postgres';
import { MONTH, aroundStore, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { afterEach, expect, test } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';
import { serverIdle } from './postgres-world.js';

const SUBSCRIBERS = 4;
const MONTHS = 6;

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function start(settings: readonly string[] = []): Promise<PostgresServer> {
  const server = await startPostgres('18', settings);
  closing.push(() => server.remove());
  return server;
}

/**
 * Plays months in which `fault` strikes after another number of calls of the store each month, and then
 * checks everything that a sound service keeps.
 */
async function playMonths(url: string, fault: () => Promise<void>): Promise<void> {
  const { store, close } = await openPostgresStore({ url, timeouts: { connectMs: 500 } });
  let callsLeft = Infinity;
  const strikes: Promise<void>[] = [];
  const world: TestWorld = await openTestWorld({
    store: aroundStore(store, async (_name, call) => {
      if (--callsLeft === 0) strikes.push(fault());
      return call();
    }),
  });
  closing.push(close, () => world.close());
  const wallets: KeyPairSigner[] = [];
  const ids: string[] = [];
  for (let number = 0; number < SUBSCRIBERS; number++) {
    const wallet = await world.wallet(PRICE * BigInt(MONTHS + 1));
    wallets.push(wallet);
    ids.push(await world.subscribe(wallet, `customer-${number}`));
  }
  for (let month = 1; month <= MONTHS; month++) {
    world.advance(MONTH);
    callsLeft = 2 * month;
    await world.work().catch((error: unknown) => {
      expect(error).toBeInstanceOf(Unavailable);
    });
    expect(strikes).toHaveLength(month);
    await Promise.all(strikes);
    // The pool notices that its connections ended, and leases of what was claimed run out.
    await expect.poll(() => store.listProjects().catch(() => [])).toHaveLength(1);
    await serverIdle(url);
    world.advance(5 * 60_000);
    await world.work();
  }
  world.forgiveErrors('The Postgres database cannot be used now');
  world.forgiveErrors('No connection to the Postgres database can be made now');
  for (const wallet of wallets) expect(await world.holding(wallet)).toBe(0n);
  await expectInvariants(world, ids);
}

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts
test('a server that is killed and started again in the middle of charges loses none and doubles none', async () => {
  const server = await start();
  await playMonths(server.url, async () => {
    await server.kill();
    await server.start();
  });
});

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts
test('a server that is stopped and started again in the middle of charges loses none and doubles none', async () => {
  const server = await start();
  await playMonths(server.url, async () => {
    await server.stop();
    await server.start();
  });
});

// invariants#one-payment-per-period
test('a network that is cut in the middle of charges, also between a commit and its answer, loses none and doubles none', async () => {
  const server = await start();
  const network = await openNetwork(server.url);
  closing.push(network.close);
  let strikes = 0;
  await playMonths(network.url, async () => {
    if (++strikes % 2 === 0) network.cut();
    else network.cutAtAnswer('COMMIT');
  });
  expect(network.answersCut()).toBe(MONTHS / 2);
});

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts
test('a synchronous standby that takes over in the middle of charges has all that was answered', async () => {
  let primary = await start();
  const network = await openNetwork(primary.url);
  closing.push(network.close);
  const standbyOf = async (server: PostgresServer) => {
    const standby = await startStandby(server);
    closing.push(() => standby.remove());
    return standby;
  };
  let standby = await standbyOf(primary);
  await playMonths(network.url, async () => {
    await primary.kill();
    await standby.promote();
    network.leadTo(standby.url);
    primary = standby;
    standby = await standbyOf(primary);
  });
});
