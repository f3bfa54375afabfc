import type { Store } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import { eventLoopTurn } from '../../event-loop-turn.js';
import { aCommit, aSubscription } from '../../records.js';
import { expectEqual } from '../../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { type Fixture, mustCommit, storeFixture } from '../fixture.js';

/** How many turns of the event loop a read gets to answer while a transaction is open. */
const TURNS = 50;

/** Two subscriptions that a read returns together: only one of them shows half a transaction. */
function aPair(fixture: Fixture): readonly [Subscription, Subscription] {
  const { wallet } = aSubscription();
  const ended = () => fixture.aSubscription({ wallet, status: 'ended' });
  return [ended(), ended()];
}

/** Reads both subscriptions of a pair by one operation, and returns how many there are. */
const countOf = async (store: Store, [{ planId, wallet }]: ReturnType<typeof aPair>): Promise<number> =>
  (await store.listByWalletAndPlan(planId, wallet)).length;

const countsOf = (stores: readonly Store[], pairs: readonly ReturnType<typeof aPair>[]) =>
  Promise.all(stores.flatMap((store) => pairs.map((pair) => countOf(store, pair))));

/**
 * Starts a transaction that commits the first of a pair and waits. Meanwhile each connection starts a read,
 * which a store may answer now or later. Then the second is committed, or the transaction throws.
 */
async function readDuring(
  stores: readonly Store[],
  pair: ReturnType<typeof aPair>,
  end: 'commits' | 'throws',
): Promise<readonly { readonly counted: number; readonly whileOpen: boolean }[]> {
  const [store] = stores;
  if (store === undefined) return [];
  const [halfway, gate] = [signal(), signal()];
  let open = true;
  const running = store
    .transaction(async (operations) => {
      await mustCommit(operations, aCommit(pair[0]));
      halfway.resolve();
      await gate.resolved;
      await mustCommit(operations, aCommit(pair[1]));
      if (end === 'throws') throw new Error('the work failed');
    })
    .catch((error: unknown) => {
      if (end === 'commits') throw error;
    });
  // A transaction that fails before it is halfway must fail the test, and not hang it.
  await Promise.race([halfway.resolved, running]);
  const reads = stores.map(async (through) => ({ counted: await countOf(through, pair), whileOpen: open }));
  const answered = { all: false };
  const finished = Promise.allSettled(reads).then(() => {
    answered.all = true;
  });
  for (let turn = 0; turn < TURNS && !answered.all; turn++) await eventLoopTurn();
  open = false;
  gate.resolve();
  await running;
  await finished;
  return Promise.all(reads);
}

/** No caller sees a part of another caller's transaction, through its own connection or the same one. */
export const isolationTests: StoreTests = {
  'shows no part of a transaction before it ends, and blocks no caller for ever': async ({ store, peer }) => {
    const pair = aPair(await storeFixture(store));
    for (const { counted, whileOpen } of await readDuring([store, peer], pair, 'commits'))
      expectEqual(
        [whileOpen ? 'during it' : 'after it', counted],
        // A read that was answered late may have read before the end or after it, but never in between.
        whileOpen ? ['during it', 0] : ['after it', counted === 0 ? 0 : 2],
        'the number of its 2 rows that a read shows which was asked for during the transaction',
      );
    expectEqual(await countsOf([store, peer], [pair]), [2, 2], 'how many rows both show');
  },

  'never shows a row of a transaction that throws': async ({ store, peer, raw }) => {
    const pair = aPair(await storeFixture(store));
    for (const { counted } of await readDuring([store, peer], pair, 'throws'))
      expectEqual(counted, 0, 'how many rows a read shows that began during the transaction');
    expectEqual(await countsOf([store, peer], [pair]), [0, 0], 'how many rows both show');
    expectEqual(await raw.count('subscriptions'), 0, 'the number of stored subscriptions');
  },

  'keeps racing transactions apart': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const pairs = [aPair(fixture), aPair(fixture)] as const;
    const work = (through: Store, pair: ReturnType<typeof aPair>, fails: boolean) =>
      through
        .transaction(async (operations) => {
          await mustCommit(operations, aCommit(pair[0]));
          await mustCommit(operations, aCommit(pair[1]));
          if (fails) throw new Error('the work failed');
        })
        .catch((error: unknown) => {
          if (!fails) throw error;
        });
    await Promise.all([work(store, pairs[0], true), work(peer, pairs[1], false)]);
    expectEqual(await countsOf([store], pairs), [0, 2], 'how many rows each wrote');
  },
};

/** Makes a promise, and the function that resolves it. */
function signal(): { readonly resolved: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const resolved = new Promise<void>((whenCalled) => {
    resolve = whenCalled;
  });
  return { resolved, resolve: () => resolve() };
}
