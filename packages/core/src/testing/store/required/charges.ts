import { aCommit, aSignature, aTransfer } from '../../records.js';
import { expectEach, expectEqual } from '../../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { at, mustCommit, nextVersion, storeFixture, termsOf } from '../fixture.js';

/** Transfers are found by what identifies them, and signed terms are kept. */
export const chargeTests: StoreTests = {
  'finds a transfer by signature, and lists transfers newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const subscriptionId = subscription.id;
    const [older, newer] = [
      aTransfer({ subscriptionId, state: 'failed', createdAt: at(1) }),
      aTransfer({ subscriptionId, createdAt: at(2) }),
    ];
    await mustCommit(store, aCommit(subscription, { transfers: [older, newer] }));
    const other = await fixture.aStoredSubscription();
    await expectEach(
      [() => store.listTransfers(subscriptionId, 9), [newer, older], 'the transfers'],
      [() => store.findTransferBySignature(older.signature), older, 'the transfer of a signature'],
      [() => store.findTransferBySignature('unknown'), null, 'that of an unknown one'],
      [() => store.findOpenTransfer(subscriptionId), newer, 'the open transfer'],
      [() => store.findOpenTransfer(other.id), null, 'the open transfer of another'],
    );
  },

  'finds each charge of a transaction by its signature and index': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscriptions = [fixture.aSubscription(), fixture.aSubscription()];
    const signature = aSignature();
    const [second, first] = subscriptions.map(({ id }, place) =>
      aTransfer({ subscriptionId: id, signature, paymentIndex: 1 - place }),
    );
    await mustCommit(
      store,
      ...subscriptions.map((subscription, place) =>
        aCommit(subscription, {
          transfers: [second, first].slice(place, place + 1).flatMap((row) => row ?? []),
        }),
      ),
    );
    expectEqual(await store.findTransferBySignature(signature), first, 'the transfer of a signature');
    expectEqual(await store.findTransferBySignature(signature, 1), second, 'the one with the index 1');
    expectEqual(await store.findTransferBySignature(signature, 2), null, 'the one with the index 2');
    expectEqual(
      await Promise.all(subscriptions.map(({ id }) => store.findOpenTransfer(id))),
      [second, first],
      'the open transfers',
    );
  },

  'keeps the terms of every commit, and each signature of terms once': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const first = fixture.aSubscription();
    const signed = (version: typeof first, signature: string) =>
      aCommit(version, { signedTerms: termsOf(version, signature) });
    const second = nextVersion(first);
    await mustCommit(store, signed(first, 'one'));
    await mustCommit(store, signed(second, 'two'));
    await mustCommit(store, signed(fixture.aSubscription(), 'one'));
    await expectEach(
      [() => raw.count('signedTerms'), 3, 'the number of stored terms'],
      [() => store.commit([signed(nextVersion(second), 'two')]), 'lost', 'one signature of terms twice'],
    );
  },
};
