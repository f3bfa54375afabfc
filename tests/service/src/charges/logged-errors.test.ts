import { aroundStore, DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { expect, it } from 'vitest';

/** What a port throws once a test has let it fail. */
const fault = Object.assign(new Error('the port failed'), { code: 'EIO' });
let failing: 'prices' | 'signer' | 'store' | 'reader' | null = null;
const failWhen = (port: typeof failing) => {
  if (failing === port) throw fault;
};

let world: TestWorld;

/** A world whose renewal is due. */
async function openDueWorld(): Promise<void> {
  failing = null;
  world = await openTestWorld({
    wrapChain: (chain) => ({
      ...chain,
      async signCharges(orders) {
        failWhen('signer');
        return chain.signCharges(orders);
      },
      async readCharges(targets, commitment) {
        const results = await chain.readCharges(targets, commitment);
        return failing === 'reader' ? results.map(() => ({ ok: true, value: throwing }) as const) : results;
      },
    }),
    wrapStore: (store) =>
      aroundStore(store, async (name, call) => {
        if (name === 'commit') failWhen('store');
        return call();
      }),
    ports: {
      prices: {
        async usd() {
          failWhen('prices');
          return '1';
        },
      },
    },
  });
  await world.subscribe(await world.wallet(10n * PRICE));
  world.advance(30 * DAY);
}

/** What a broken adapter may read: every field of it throws. */
const throwing = new Proxy({} as never, {
  get() {
    throw fault;
  },
});

it.each([
  ['prices', 'warn', 'The price of a token could not be read. Until it can, its amounts have no amount_usd.'],
  ['signer', 'error', 'The signer failed. The charges are blocked and tried again.'],
  ['store', 'error', 'Subscriptions could not be written. They are worked on again within a minute.'],
  ['reader', 'error', 'A pass of the worker failed at a subscription. It is tried again within a minute.'],
] as const)('logs an error of the %s under err, as it was thrown', async (port, level, message) => {
  await openDueWorld();
  failing = port;
  await world.billing.worker.charge();
  // A charge gets its price when it settles, which is in a later pass.
  if (port === 'prices') await world.work();
  failing = null;
  const logged = world.log.entries.filter((entry) => entry.message === message);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ level, facts: { err: fault } });
  world.forgiveErrors('the port failed');
});
