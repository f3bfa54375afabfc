import { aCommit, anAttempt, aSubscription, aTransfer } from '../records.js';
import { same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredSubscription, at, aWorld, committed, next, of } from './world.js';

/** Transfers, paid attempts and signed terms, as they are looked up. */
export const ledger: Promises = {
  'transfers are found by signature within their subscription, and listed newest first': async ({
    store,
  }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const subscriptionId = subscription.id;
    const [older, newer] = [
      aTransfer({ subscriptionId, state: 'failed', createdAt: at(1) }),
      aTransfer({ subscriptionId, createdAt: at(2) }),
    ];
    await committed(store, aCommit(subscription, { transfers: [older, newer] }));
    const other = await aStoredSubscription(store, world);
    same(await store.listTransfers(subscriptionId), [newer, older], 'the transfers');
    same(await store.findTransferBySignature(older.signature), older, 'by signature');
    same(await store.findTransferBySignature('unknown'), null, 'by one that nobody signed');
    same(await store.findOpenTransfer(subscriptionId), newer, 'the open one');
    same(await store.findOpenTransfer(other.id), null, 'of one that has none');
  },

  'the attempt that paid a period is found, and no other': async ({ store }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const subscriptionId = subscription.id;
    const paid = anAttempt({ subscriptionId, periodStart: at(1) });
    const rejected = anAttempt({
      subscriptionId,
      periodStart: at(2),
      outcome: 'rejected',
      reason: 'program_1',
    });
    await committed(store, aCommit(subscription, { attempts: [rejected, paid] }));
    same(await store.findPaidAttempt(subscriptionId, at(1)), paid, 'the paid attempt');
    same(await store.findPaidAttempt(subscriptionId, at(2)), null, 'a period that was not paid');
  },

  'the terms signed last are found, and earlier ones are kept (terms#signed-terms-are-kept)': async ({ store, raw }) => {
    const world = await aWorld(store);
    let subscription = aSubscription(of(world));
    const terms = (signature: string, ms: number) => ({
      subscriptionId: subscription.id,
      message: `terms ${ms}`,
      signature,
      signedAt: at(ms),
    });
    same(await store.findSignedTerms(subscription.id), null, 'before any');
    await committed(store, aCommit(subscription, { signedTerms: terms('one', 2) }));
    subscription = next(subscription);
    await committed(store, aCommit(subscription, { signedTerms: terms('two', 3) }));
    same(await store.findSignedTerms(subscription.id), terms('two', 3), 'the last');
    same(await raw.count('signedTerms'), 2, 'stored terms');
    same(
      await store.commit([aCommit(next(subscription), { signedTerms: terms('two', 4) })]),
      'lost',
      'one signature again',
    );
  },
};
