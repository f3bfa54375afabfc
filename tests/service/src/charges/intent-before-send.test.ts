import type { Chain } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { MONTH, openCustomer, type ChainFault, PRICE, signatureOf } from '@subrail/test-world';

/** Records every transaction that is sent, and whether its intent was on record by then. */
function watchSends(isStored: (signature: string) => Promise<boolean>) {
  const sends: { readonly signature: string; readonly stored: boolean }[] = [];
  const watch: ChainFault = (chain: Chain) => ({
    async send(wires) {
      for (const wire of wires) {
        const signature = signatureOf(wire);
        sends.push({ signature, stored: await isStored(signature) });
      }
      return chain.send(wires);
    },
  });
  return { sends, watch };
}

async function openWatched() {
  const customer = await openCustomer();
  const { world } = customer;
  const { sends, watch } = watchSends(
    async (signature) => (await world.store.findTransferBySignature(signature)) !== null,
  );
  world.injectFaults(watch);
  return { ...customer, sends };
}

// When a process dies between storing an intent and sending it, the next one finds the intent and looks its signature up, so
// that nothing is charged twice.
describe('a charge', () => {
  it('is on record before it is sent', async () => {
    const { world, wallet, sends } = await openWatched();
    await world.subscribe(wallet);
    world.advance(MONTH);
    await world.billing.worker.charge();
    expect(sends.map(({ stored }) => stored)).toEqual([true, true]);
  });

  it('is not sent when its intent could not be stored', async () => {
    const { world, wallet, sends } = await openWatched();
    await world.subscribe(wallet);
    world.advance(MONTH);
    const host = world.host({ ...world.store, commit: () => Promise.resolve('lost') });
    await host.billing.worker.charge();
    expect(sends).toHaveLength(1);
    expect(await world.holding(world.owner)).toBe(PRICE);
  });
});

// checkout#stored-before-it-is-sent
it('a checkout is not sent when its intent could not be stored', async () => {
  const { world, issue, submitTo, sends } = await openWatched();
  const checkout = await issue();
  const host = world.host({ ...world.store, commit: () => Promise.resolve('lost') });
  expect((await submitTo(host, checkout)).body).toMatchObject({ code: 'subscription_changed' });
  expect(sends).toEqual([]);
});
