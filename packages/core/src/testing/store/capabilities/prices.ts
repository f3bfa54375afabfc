import type { ReportStore, Store } from '../../../ports/store.js';
import type { Attempt } from '../../../records/index.js';
import { aCommit, anAttempt } from '../../records.js';
import { expectEqual } from '../expect.js';
import { at, mustCommit, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** Attempts get their amount in US dollars later, when no price was known at first. */
export const priceTests: StoreTests<Store & ReportStore> = {
  'lists the attempts without a USD amount, oldest first, and sets it once': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
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
};
