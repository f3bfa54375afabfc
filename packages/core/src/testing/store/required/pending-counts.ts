import type { Customer } from '../../../ports/store.js';
import { aCommit, anAddress } from '../../records.js';
import { expectEqual } from '../expect.js';
import { at, mustCommit, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** Pending checkouts are counted by their own definition. */
export const pendingCountTests: StoreTests = {
  'counts pending checkouts of the project and of the customer': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const count = (value: string) => store.countPending(fixture.project.id, { by: 'external_id', value });
    const none = { count: 0, oldestExpiresAt: null };
    expectEqual(await count('a'), { project: none, customer: none }, 'the counts without checkouts');
    const checkout = (externalId: string | null, checkoutExpiresAt: Date) =>
      aCommit(fixture.aCheckout({ externalId, checkoutExpiresAt }));
    await mustCommit(
      store,
      checkout('a', at(5)),
      checkout('a', at(4)),
      checkout('b', at(3)),
      checkout(null, at(6)),
      aCommit(fixture.aCheckout({ externalId: 'a', status: 'expired', checkoutExpiresAt: null })),
      aCommit(elsewhere.aCheckout({ externalId: 'a', checkoutExpiresAt: at(1) })),
    );
    const project = { count: 4, oldestExpiresAt: at(3) };
    expectEqual(
      await count('a'),
      { project, customer: { count: 2, oldestExpiresAt: at(4) } },
      'the counts, each with the expiry of its own oldest checkout',
    );
    expectEqual(await count('c'), { project, customer: none }, 'the counts of another customer');
  },

  'counts for a customer only the checkouts opened in its own name': async ({ store }) => {
    const fixture = await storeFixture(store);
    const [wallet, otherWallet] = [anAddress(), anAddress()];
    const checkout = (
      externalId: string | null,
      email: string | null,
      checkoutWallet: string,
      checkoutExpiresAt: Date,
    ) => aCommit(fixture.aCheckout({ externalId, email, wallet: checkoutWallet, checkoutExpiresAt }));
    await mustCommit(
      store,
      checkout('id', 'ann@example.com', wallet, at(1)),
      checkout('id', null, otherWallet, at(2)),
      checkout(null, 'ann@example.com', wallet, at(3)),
      checkout(null, 'ann@example.com', otherWallet, at(4)),
      checkout(null, 'bob@example.com', wallet, at(5)),
      checkout(null, null, wallet, at(6)),
    );
    const count = async (by: Customer['by'], value: string) =>
      (await store.countPending(fixture.project.id, { by, value })).customer;
    expectEqual(
      await count('external_id', 'id'),
      { count: 2, oldestExpiresAt: at(1) },
      'the checkouts of an external id, with any email or wallet',
    );
    expectEqual(
      await count('email', 'ann@example.com'),
      { count: 2, oldestExpiresAt: at(3) },
      'the checkouts of an email without an external id',
    );
    expectEqual(
      await count('wallet', wallet),
      { count: 1, oldestExpiresAt: at(6) },
      'the checkouts of a wallet without an external id and without an email',
    );
    expectEqual(
      await count('wallet', otherWallet),
      { count: 0, oldestExpiresAt: null },
      'the checkouts of a wallet that only other customers named',
    );
  },
};
