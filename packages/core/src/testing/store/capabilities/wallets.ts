import type { Store, WalletStore } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import { aCommit, aSubscription } from '../../records.js';
import { expectEqual } from '../../expect.js';
import { at, type Fixture, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** The subscriptions of a wallet, and the terms that it signed. */
export const walletTests: StoreTests<Store & WalletStore> = {
  'lists what a wallet is subscribed to in every project': async ({ store }) => {
    const [fixture, elsewhere] = [await storeFixture(store), await storeFixture(store)];
    const { wallet } = aSubscription();
    const paid = (where: Fixture, fields: Partial<Subscription>) =>
      where.aStoredSubscription({ wallet, status: 'ended', confirmedAt: at(0), ...fields });
    const older = await paid(fixture, { createdAt: at(1) });
    const newer = await paid(elsewhere, { createdAt: at(2) });
    const superseded = await paid(fixture, { status: 'superseded', createdAt: at(3) });
    const checkout = await paid(fixture, { status: 'expired', confirmedAt: null, createdAt: at(4) });
    const another = await fixture.aStoredSubscription({ status: 'ended', confirmedAt: at(0) });
    const page = (startingAfter: Subscription['id'] | null) =>
      store.listByWallet(wallet, { limit: 1, startingAfter });
    expectEqual(
      await page(null),
      { data: [{ subscription: newer, plan: elsewhere.plan }], hasMore: true },
      'the first page of what a wallet was subscribed to',
    );
    expectEqual(
      await page(newer.id),
      { data: [{ subscription: older, plan: fixture.plan }], hasMore: false },
      'the last page of what a wallet was subscribed to',
    );
    for (const { id } of [superseded, checkout, another])
      expectEqual(await page(id), 'unknown_cursor', 'a page after one that is not listed');
    for (const one of [older, newer, superseded, checkout])
      expectEqual(await store.findWalletSubscription(wallet, one.id), one, 'a subscription of the wallet');
    expectEqual(await store.findWalletSubscription(wallet, another.id), null, 'that of another wallet');
  },

  'finds the terms that were signed last, as they were written': async ({ store }) => {
    const fixture = await storeFixture(store);
    let subscription = fixture.aSubscription();
    const terms = (signature: string, ms: number) => ({
      subscriptionId: subscription.id,
      message: `terms ${ms}\n ☕ "\\\\`,
      signature,
      envelope: 'ZW52ZWxvcGU=',
      signedAt: at(ms),
    });
    expectEqual(await store.findSignedTerms(subscription.id), null, 'the terms before any were signed');
    await mustCommit(store, aCommit(subscription, { signedTerms: terms('one', 2) }));
    subscription = nextVersion(subscription);
    await mustCommit(store, aCommit(subscription, { signedTerms: terms('two', 3) }));
    expectEqual(await store.findSignedTerms(subscription.id), terms('two', 3), 'the terms signed last');
  },
};
