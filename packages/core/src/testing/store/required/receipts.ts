import type { Store } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import { eventLoopTurn } from '../../event-loop-turn.js';
import { expectEqual, expectThat } from '../../expect.js';
import { aCommit, anAttempt } from '../../records.js';
import { at, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

/** How many callers write at once, and how many commits each makes. */
const WRITERS = 4;
const COMMITS = 6;

const payment = ({ id }: Subscription, ms: number) =>
  anAttempt({ subscriptionId: id, attemptedAt: at(ms), periodStart: at(ms) });

const failure = ({ id }: Subscription, ms: number) =>
  anAttempt({
    ...{ subscriptionId: id, attemptedAt: at(ms), outcome: 'rejected', reason: 'program_1' },
    ...{ signature: null, amountReceived: null },
  });

/** The numbers of the receipts of a subscription, the oldest attempt first. */
async function receiptNumbers(store: Store, { id }: Subscription): Promise<readonly (number | null)[]> {
  const page = await store.listAttempts(id, { limit: 99, startingAfter: null });
  expectThat(page !== 'unknown_cursor', 'a first page not to be unknown_cursor');
  return page.data.map(({ receiptNumber }) => receiptNumber).reverse();
}

/** Each payment of a project gets the next number of its receipts, in the commit that stores it. */
export const receiptTests: StoreTests = {
  'numbers the payments of a project in the order of their commits, and nothing else': async ({ store }) => {
    const fixture = await storeFixture(store);
    const [one, two] = [fixture.aSubscription(), fixture.aSubscription()];
    // Dates fall, and two changes share a commit.
    await mustCommit(
      store,
      aCommit(one, { attempts: [failure(one, 8), payment(one, 9)] }),
      aCommit(two, { attempts: [payment(two, 4), payment(two, 5)] }),
    );
    const next = nextVersion(one);
    await mustCommit(store, aCommit(next, { attempts: [failure(one, 1)] }));
    await mustCommit(store, aCommit(nextVersion(next), { attempts: [payment(one, 2)] }));
    expectEqual(await receiptNumbers(store, one), [null, 4, null, 1], 'the numbers of a subscription');
    expectEqual(await receiptNumbers(store, two), [2, 3], 'those of the change after it');
  },

  'numbers the payments of each project for itself': async ({ store }) => {
    const [one, other] = [await storeFixture(store), await storeFixture(store)];
    const [first, second] = [one.aSubscription(), other.aSubscription()];
    await mustCommit(
      store,
      aCommit(first, { attempts: [payment(first, 1), payment(first, 2)] }),
      aCommit(second, { attempts: [payment(second, 1)] }),
    );
    expectEqual(await receiptNumbers(store, first), [1, 2], 'the numbers of a project');
    expectEqual(await receiptNumbers(store, second), [1], 'those of the other one');
  },

  'gives the number of a commit that was lost or undone to the next payment': async ({ store }) => {
    const fixture = await storeFixture(store);
    const [one, two] = [fixture.aSubscription(), fixture.aSubscription()];
    await mustCommit(store, aCommit(one, { attempts: [payment(one, 1)] }));
    const stale = await store.commit([aCommit(one, { attempts: [payment(one, 2)] })]);
    const paidTwice = await store.commit([
      aCommit(two, { attempts: [payment(two, 2)] }),
      aCommit(nextVersion(one), { attempts: [payment(one, 1)] }),
    ]);
    expectEqual([stale, paidTwice], ['lost', 'lost'], 'the commits in conflict');
    const undone = store.transaction(async (operations) => {
      await operations.commit([aCommit(two, { attempts: [payment(two, 3)] })]);
      throw new Error('undone');
    });
    await undone.catch(() => {});
    await mustCommit(store, aCommit(two, { attempts: [payment(two, 4)] }));
    expectEqual(await receiptNumbers(store, one), [1], 'the numbers before the conflicts');
    expectEqual(await receiptNumbers(store, two), [2], 'the number after them');
  },

  'numbers the payments of many racing callers without a gap or a double': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const contested = await fixture.aStoredSubscription();
    const written = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const through = writer % 2 === 0 ? store : peer;
        let subscription = fixture.aSubscription();
        const first = subscription;
        for (let commit = 0; commit < COMMITS; commit++) {
          await mustCommit(through, aCommit(subscription, { attempts: [payment(first, commit)] }));
          // All writers race for this one too, so that most of these commits are lost.
          await through.commit([
            aCommit(nextVersion({ ...contested, version: commit + 1 }), {
              attempts: [payment(contested, commit)],
            }),
          ]);
          subscription = nextVersion(subscription);
          await eventLoopTurn();
        }
        return first;
      }),
    );
    const numbers: (number | null)[] = [];
    for (const of of [contested, ...written]) {
      const own = await receiptNumbers(store, of);
      expectEqual(
        own,
        own.toSorted((a, b) => Number(a) - Number(b)),
        'the numbers of one caller, rising',
      );
      numbers.push(...own);
    }
    expectEqual(
      numbers.toSorted((a, b) => Number(a) - Number(b)),
      numbers.map((_, place) => place + 1),
      'the numbers of all payments',
    );
  },
};
