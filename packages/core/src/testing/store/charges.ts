import type { Attempt } from '../../records/index.js';
import { aCommit, anAttempt, aSignature, aSubscription, aTransfer } from '../records.js';
import { expectEqual } from './expect.js';
import type { StoreTests } from './store-under-test.js';
import { aStoredSubscription, at, idsOf, mustCommit, nextVersion, storeFixture } from './fixture.js';

/** Transfers, paid attempts and signed terms are found by what identifies them. */
export const chargeTests: StoreTests = {
  'finds a transfer by signature, and lists transfers newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = aSubscription(idsOf(fixture));
    const subscriptionId = subscription.id;
    const [older, newer] = [
      aTransfer({ subscriptionId, state: 'failed', createdAt: at(1) }),
      aTransfer({ subscriptionId, createdAt: at(2) }),
    ];
    await mustCommit(store, aCommit(subscription, { transfers: [older, newer] }));
    const other = await aStoredSubscription(store, fixture);
    expectEqual(await store.listTransfers(subscriptionId, 9), [newer, older], 'the list of transfers');
    expectEqual(
      await store.findTransferBySignature(older.signature),
      older,
      'the transfer found by signature',
    );
    expectEqual(
      await store.findTransferBySignature('unknown'),
      null,
      'the transfer found by an unknown signature',
    );
    expectEqual(await store.findOpenTransfer(subscriptionId), newer, 'the open transfer');
    expectEqual(
      await store.findOpenTransfer(other.id),
      null,
      'the open transfer of a subscription without one',
    );
  },

  'keeps the charges that share a transaction, and finds each by its signature and index': async ({
    store,
  }) => {
    const fixture = await storeFixture(store);
    const subscriptions = [aSubscription(idsOf(fixture)), aSubscription(idsOf(fixture))];
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
    expectEqual(await store.findTransferBySignature(signature), first, 'the transfer found by signature');
    expectEqual(await store.findTransferBySignature(signature, 1), second, 'the one with the index 1');
    expectEqual(await store.findTransferBySignature(signature, 2), null, 'the one with the index 2');
    expectEqual(
      await Promise.all(subscriptions.map(({ id }) => store.findOpenTransfer(id))),
      [second, first],
      'the open transfers',
    );
  },

  'finds the attempt that paid a period, and no other': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = aSubscription(idsOf(fixture));
    const subscriptionId = subscription.id;
    const paid = anAttempt({ subscriptionId, periodStart: at(1) });
    const rejected = anAttempt({
      subscriptionId,
      periodStart: at(2),
      outcome: 'rejected',
      reason: 'program_1',
    });
    await mustCommit(store, aCommit(subscription, { attempts: [rejected, paid] }));
    expectEqual(await store.findPaidAttempt(subscriptionId, at(1)), paid, 'the paid attempt');
    expectEqual(
      await store.findPaidAttempt(subscriptionId, at(2)),
      null,
      'the paid attempt of an unpaid period',
    );
  },

  'lists the attempts without a USD amount, oldest first, and sets the amount of those that have none':
    async ({ store }) => {
      const fixture = await storeFixture(store);
      const subscription = aSubscription(idsOf(fixture));
      const attemptAt = (ms: number, amountUsd: string | null = null) =>
        anAttempt({
          ...{ subscriptionId: subscription.id, attemptedAt: at(ms), amountUsd },
          ...{ outcome: 'skipped', reason: 'period_missed', signature: null, amountReceived: null },
        });
      const early = attemptAt(1);
      const priced = attemptAt(3, '1.00');
      const [first, second] = [attemptAt(2), attemptAt(2)].sort((a, b) => (a.id < b.id ? -1 : 1));
      if (first === undefined || second === undefined) throw new Error('Two attempts were made.');
      const last = attemptAt(4);
      await mustCommit(store, aCommit(subscription, { attempts: [last, priced, second, first, early] }));
      const { mint, decimals } = fixture.plan;
      const unpriced = ({ id, attemptedAt, amount }: Attempt) => ({
        id,
        attemptedAt,
        amount,
        mint,
        decimals,
      });
      const list = await store.listUnpricedAttempts(at(2), null, 2);
      expectEqual(list, [first, second].map(unpriced), 'the oldest attempts without a USD amount');
      expectEqual(
        await store.listUnpricedAttempts(at(2), first, 9),
        [second, last].map(unpriced),
        'the attempts that follow one of them',
      );
      await store.priceAttempts(new Map([first, priced].map(({ id }) => [id, '2.50'])));
      const page = await store.listAttempts(subscription.id, { limit: 9, startingAfter: null });
      if (page === 'unknown_cursor') throw new Error('The first page of attempts was refused.');
      const amounts = new Map(page.data.map(({ id, amountUsd }) => [id, amountUsd]));
      expectEqual(
        [first, priced, second, last].map(({ id }) => amounts.get(id)),
        ['2.50', '1.00', null, null],
        'the USD amounts',
      );
    },

  'finds the terms that were signed last, and keeps earlier ones': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    let subscription = aSubscription(idsOf(fixture));
    const terms = (signature: string, ms: number) => ({
      subscriptionId: subscription.id,
      message: `terms ${ms}`,
      signature,
      envelope: null,
      signedAt: at(ms),
    });
    expectEqual(
      await store.findSignedTerms(subscription.id),
      null,
      'the signed terms before any were signed',
    );
    await mustCommit(store, aCommit(subscription, { signedTerms: terms('one', 2) }));
    subscription = nextVersion(subscription);
    await mustCommit(store, aCommit(subscription, { signedTerms: terms('two', 3) }));
    expectEqual(await store.findSignedTerms(subscription.id), terms('two', 3), 'the terms signed last');
    expectEqual(await raw.count('signedTerms'), 2, 'the number of stored terms');
    expectEqual(
      await store.commit([aCommit(nextVersion(subscription), { signedTerms: terms('two', 4) })]),
      'lost',
      'the result of storing one signature of terms twice',
    );
  },
};
