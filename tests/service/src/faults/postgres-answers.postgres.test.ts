// Heavy: each commit and each packet of a charge, a submit and a delivery loses its answer, in turn.

import { Unavailable } from '@subrail/core/ports';
import type { Network } from '@subrail/test-postgres';
import { issueCheckout, PRICE, signCheckout } from '@subrail/test-world';
import { describe, expect, test } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';
import { MONTH } from '@subrail/test-world';
import { expectNothingLost, openPostgresWorld, serverIdle, type PostgresWorld } from './postgres-world.js';

/** Far more than any of the operations needs. */
const MOST_ANSWERS = 200;

/** A call of the service, which may be repeated: by a host in its next pass, by a customer after a 503. */
type Run = () => Promise<unknown>;

/** Brings about that there is something to do, and returns how the service is asked for it. */
const OPERATIONS: Readonly<Record<string, (opened: PostgresWorld) => Promise<Run>>> = {
  async charge({ world }) {
    world.advance(MONTH);
    return () => world.work();
  },
  async submit({ world, ids }) {
    const wallet = await world.wallet(PRICE);
    const checkout = await issueCheckout(world, wallet, `customer-${ids.length}`);
    const { id } = checkout.subscription;
    const body = await signCheckout(wallet, checkout);
    ids.push(id);
    return async () => {
      const answer = await world.call('POST', `/subscriptions/${id}/submit`, body);
      if (answer.status === 503) throw new Unavailable(String(answer.body['code']));
      expect(answer.status).toBe(201);
    };
  },
  async delivery({ world }) {
    world.advance(MONTH);
    await world.work();
    return () => world.deliver();
  },
};

/** How the service loses an answer of the database, of which it needs several for each operation. */
const LOSSES: Readonly<Record<string, (network: Network, nth: number) => void>> = {
  'the answer to a COMMIT': (network, nth) => network.cutAtAnswer('COMMIT', nth),
  'the connection over which it sent a statement': (network, nth) => network.cutAfterStatement(nth),
};

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts,
// deliveries#delivery-id-for-deduplication, deliveries#same-bytes-for-every-attempt
describe.each(Object.entries(LOSSES))('a service that loses %s', (_, lose) => {
  test.each(Object.entries(OPERATIONS))(
    'in a %s, the first, the second or any further one, loses and doubles nothing',
    async (_, prepare) => {
      const opened = await openPostgresWorld();
      const { world, network, ids } = opened;
      let lost = 0;
      // The last run gets all its answers.
      for (let nth = 1; nth < MOST_ANSWERS && lost === nth - 1; nth++) {
        const run = await prepare(opened);
        lose(network, nth);
        await run().catch((error: unknown) => {
          expect(error).toBeInstanceOf(Unavailable);
        });
        network.cutNoMore();
        lost = network.answersCut();
        // The pool notices that a connection ended.
        await expect.poll(() => world.store.listProjects().catch(() => [])).toHaveLength(1);
        await serverIdle(network.url);
        // The worker of a host goes on meanwhile, and sends what was stored and not sent.
        await world.work();
        await run();
        await expectNothingLost(opened);
        world.forgiveErrors('The Postgres database cannot be used now');
      }
      expect(lost).toBeGreaterThan(1);
      expect(lost).toBeLessThan(MOST_ANSWERS - 1);
      await expectInvariants(world, ids);
    },
  );
});
