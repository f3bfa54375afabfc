import { aCheckout, aCommit, aSubscription } from '../records.js';
import { expectEqual } from './expect.js';
import type { StoreTests } from './store-under-test.js';
import { aStoredPlan, aStoredSubscription, at, idsOf, mustCommit, storeFixture } from './fixture.js';

/** Pending checkouts and seats are counted by their own definitions. */
export const countTests: StoreTests = {
  'counts pending checkouts of the project and of the customer': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const count = (value: string) => store.countPending(fixture.project.id, { by: 'external_id', value });
    const none = { count: 0, oldestExpiresAt: null };
    expectEqual(await count('a'), { project: none, customer: none }, 'the counts without checkouts');
    const checkout = (externalId: string | null, checkoutExpiresAt: Date) =>
      aCommit(aCheckout({ ...idsOf(fixture), externalId, checkoutExpiresAt }));
    await mustCommit(
      store,
      checkout('a', at(5)),
      checkout('a', at(4)),
      checkout('b', at(3)),
      checkout(null, at(6)),
      aCommit(aCheckout({ ...idsOf(fixture), externalId: 'a', status: 'expired', checkoutExpiresAt: null })),
      aCommit(aCheckout({ ...idsOf(elsewhere), externalId: 'a', checkoutExpiresAt: at(1) })),
    );
    const project = { count: 4, oldestExpiresAt: at(3) };
    expectEqual(
      await count('a'),
      { project, customer: { count: 2, oldestExpiresAt: at(4) } },
      'the counts, each with the expiry of its own oldest checkout',
    );
    expectEqual(await count('c'), { project, customer: none }, 'the counts of another customer');
  },

  'counts a seat per wallet that is running or cancelled and not yet expired, and not parked': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const otherPlan = await aStoredPlan(store, fixture.project);
    const elsewhere = await storeFixture(store);
    const cancelled = (expiresAt: Date) =>
      ({ status: 'cancelled', cancellation: { confirmedAt: at(0), expiresAt, behind: false } }) as const;
    const holder = await aStoredSubscription(store, fixture);
    await aStoredSubscription(store, fixture, { wallet: holder.wallet, planId: otherPlan.id });
    await aStoredSubscription(store, fixture, { status: 'unpaid' });
    await aStoredSubscription(store, fixture, cancelled(at(101)));
    await aStoredSubscription(store, fixture, cancelled(at(100)));
    await aStoredSubscription(store, fixture, { pausedAt: at(1) });
    for (const status of ['pending', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)
      await aStoredSubscription(store, fixture, { status });
    await aStoredSubscription(store, elsewhere);
    const { id } = fixture.project;
    expectEqual(
      await store.countOtherSeats(id, aSubscription().wallet, at(100)),
      3,
      'the seats of other wallets',
    );
    expectEqual(
      await store.countOtherSeats(id, holder.wallet, at(100)),
      2,
      'the seats without the wallet’s own',
    );
    expectEqual(
      await store.countOtherSeats(id, holder.wallet, at(101)),
      1,
      'the seats once the cancellation took effect',
    );
  },
};
