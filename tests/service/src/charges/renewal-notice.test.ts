import { DAY, MINUTE, openSubscriber, openTestStore, PRICE } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

// events#renewal-notice
describe('the notice of a renewal', () => {
  it('is raised by one of several hosts', async () => {
    const { store, close } = await openTestStore('sqlite');
    const { world, paidEnd } = await openSubscriber('paid', { store });
    const other = world.host(store);
    world.advance(paidEnd - 3 * DAY - world.now().getTime());
    await Promise.all([world.billing.worker.charge(), other.billing.worker.charge()]);
    await world.work();
    expect((await world.events()).slice(2)).toEqual(['renewal_upcoming']);
    await close();
  });

  it('is read for many subscriptions in one batch', async () => {
    const { world, paidEnd } = await openSubscriber('paid');
    for (let n = 0; n < 4; n++) await world.subscribe(await world.wallet(PRICE));
    // The daily reads of the chain are made before.
    world.advance(paidEnd - 3 * DAY - MINUTE - world.now().getTime());
    await world.work();
    let reads = 0;
    world.injectFaults((chain) => ({
      readCharges(targets, commitment) {
        reads += 1;
        return chain.readCharges(targets, commitment);
      },
    }));
    world.advance(2 * MINUTE);
    await world.work();
    expect(reads).toBe(1);
    expect((await world.events()).filter((name) => name === 'renewal_upcoming')).toHaveLength(5);
  });
});
