import { describe, expect, it } from 'vitest';
import {
  attemptReasons,
  MONTH,
  openCustomer,
  openSubscriber,
  PRICE,
  sendsLost,
  signatureOf,
  type ChainFault,
  type Customer,
} from '@subrail/test-world';

/** Records every transaction that is sent, and whether its intent was on record by then. */
function watch({ world }: Customer) {
  const sends: { readonly wire: string; readonly stored: boolean }[] = [];
  const watched: ChainFault = (chain) => ({
    async send(wires) {
      for (const wire of wires) {
        const transfer = await world.store.findTransferBySignature(signatureOf(wire));
        sends.push({ wire, stored: transfer !== null });
      }
      return chain.send(wires);
    },
  });
  world.injectFaults(watched);
  return { sends, watched };
}

/** A subscription whose second charge is due now. */
async function openDue() {
  const customer = await openSubscriber('paid');
  customer.world.advance(MONTH);
  return { ...customer, ...watch(customer) };
}

// A process may die between storing an intent and sending it: the next one finds the intent and looks its
// signature up, so nothing is charged twice.
describe('a charge', () => {
  it('is on record before it is sent, and not sent when its intent could not be stored', async () => {
    const { world, sends } = await openDue();
    const host = world.host({ ...world.store, commit: () => Promise.resolve('lost') });
    await host.billing.worker.charge();
    expect(sends).toEqual([]);
    world.advance(60_000);
    await world.billing.worker.charge();
    expect(sends.map(({ stored }) => stored)).toEqual([true]);
  });

  // attempts#unresolved-transfer-first
  it('is sent again with the same bytes while it may still land', async () => {
    const { world, id, sends, watched } = await openDue();
    world.injectFaults(sendsLost, watched);
    await world.billing.worker.charge();
    world.injectFaults(watched);
    await world.work();
    expect(sends.length).toBeGreaterThan(1);
    expect(new Set(sends.map(({ wire }) => wire)).size).toBe(1);
    expect(await attemptReasons(world, id)).toEqual(['paid', 'paid']);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });

  it('is made once by two workers at once', async () => {
    const { world, id, sends } = await openDue();
    await Promise.all([world.billing.worker.charge(), world.billing.worker.charge()]);
    expect(sends).toHaveLength(1);
    await world.work();
    expect(await attemptReasons(world, id)).toEqual(['paid', 'paid']);
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });

  // invariants#timed-work-has-a-wake-date
  it('that a dead worker had claimed is made by another a minute later, and not before', async () => {
    const { world } = await openDue();
    await new Promise<void>((claimed) => {
      world.injectFaults(() => ({
        readCharges: () => {
          claimed();
          return new Promise(() => {});
        },
      }));
      void world.billing.worker.charge();
    });
    world.clearFaults();
    world.advance(59_000);
    expect(await world.billing.worker.charge()).toEqual({ claimed: 0, sent: 0 });
    world.advance(1_000);
    expect(await world.billing.worker.charge()).toEqual({ claimed: 1, sent: 1 });
    await world.work();
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });
});

// checkout#stored-before-it-is-sent
it('a checkout is on record before it is sent, and not sent when its intent could not be stored', async () => {
  const customer = await openCustomer();
  const { sends } = watch(customer);
  const { world, issue, submit, submitTo } = customer;
  const checkout = await issue();
  const host = world.host({ ...world.store, commit: () => Promise.resolve('lost') });
  expect((await submitTo(host, checkout)).body).toMatchObject({ code: 'subscription_changed' });
  expect(sends).toEqual([]);
  await submit(checkout);
  expect(sends.map(({ stored }) => stored)).toEqual([true]);
});
