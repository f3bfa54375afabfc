import type { FoundSubscriptions, ReportStore, Store, SubscriptionFilter } from '../../../ports/store.js';
import type { Subscription, SubscriptionId } from '../../../records/index.js';
import { expectThat, expectEqual } from '../../expect.js';
import { aCommit, anAddress, anId } from '../../records.js';
import { at, type Fixture, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import { allParts, created, newestFirst } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

const EVERYTHING: SubscriptionFilter = {
  id: null,
  address: null,
  wallet: null,
  externalId: null,
  email: null,
  planId: null,
  status: null,
  late: null,
  blocked: null,
  failing: null,
  ending: null,
};

const NOW = at(5000);

async function search(
  store: ReportStore,
  { project }: Fixture,
  filter: Partial<SubscriptionFilter>,
  startingAfter: SubscriptionId | null = null,
  limit = 2,
): Promise<FoundSubscriptions> {
  const page = { limit, startingAfter };
  const result = await store.searchSubscriptions(project.id, { ...EVERYTHING, ...filter }, NOW, page);
  expectThat(result !== 'unknown_cursor', 'a subscription of the project to be a cursor of a search');
  return result;
}

/** The ids of a whole search, two subscriptions a page. `between` runs before more pages. */
async function searchAll(
  store: ReportStore,
  fixture: Fixture,
  filter: Partial<SubscriptionFilter>,
  between?: () => Promise<void>,
): Promise<readonly SubscriptionId[]> {
  const pages = await allParts(
    (after: SubscriptionId | null) => search(store, fixture, filter, after),
    between,
  );
  return pages.flatMap(({ found }) => found.map(({ subscription }) => subscription.id));
}

const idsNewestFirst = (rows: readonly Subscription[]) => newestFirst(rows, created);

/** An operator searches the subscriptions of a whole project. */
export const searchTests: StoreTests<Store & ReportStore> = {
  'finds the subscriptions of a project that fit every filter, newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan({ endsAt: at(9000) });
    const wallet = anAddress('Subscriber');
    const stored = (ms: number, given: Partial<Subscription>) =>
      fixture.aStoredSubscription({ createdAt: at(ms), ...given });
    const cancelled = (expiresAt: Date) =>
      ({
        status: 'cancelled',
        cancellation: { confirmedAt: at(1), expiresAt, behind: false, lapse: null },
      }) as const;
    const active = await stored(1, { wallet, externalId: 'reader', email: 'reader@example.com' });
    const other = await stored(2, {
      wallet,
      planId: otherPlan.id,
      blockedSince: at(3),
      blockedReason: 'mesub',
    });
    const late = await stored(3, { status: 'unpaid', blockedSince: at(3), blockedReason: 'mint_paused' });
    const parked = await stored(3, { status: 'unpaid', pausedAt: at(4), externalId: 'other' });
    const running = await stored(4, cancelled(at(5001)));
    const expired = await stored(6, cancelled(NOW));
    const ended = await stored(5, { status: 'ended', endReason: 'closed' });
    const superseded = await stored(7, { status: 'superseded', address: active.address });
    await elsewhere.aStoredSubscription({ wallet });
    const all = [active, other, late, parked, running, expired, ended, superseded];
    const expected: readonly (readonly [Partial<SubscriptionFilter>, readonly Subscription[]])[] = [
      [{}, all],
      [{ id: late.id }, [late]],
      [{ id: late.id, status: 'active' }, []],
      [{ address: active.address }, [active, superseded]],
      [{ wallet }, [active, other]],
      [{ wallet, planId: otherPlan.id }, [other]],
      [{ externalId: 'reader' }, [active]],
      [{ email: 'reader@example.com' }, [active]],
      [{ email: 'reader' }, []],
      [{ planId: otherPlan.id }, [other]],
      [{ planId: fixture.plan.id, status: 'active' }, [active]],
      [{ status: 'unpaid' }, [late, parked]],
      [{ status: 'cancelled' }, [running]],
      [{ status: 'ended' }, [expired, ended]],
      [{ status: 'ended', planId: fixture.plan.id }, [expired, ended]],
      [{ status: 'superseded' }, [superseded]],
      [{ late: true }, [late]],
      [{ late: true, planId: otherPlan.id }, []],
      [{ late: false }, all.filter((row) => row !== late)],
      [{ blocked: true }, [other, late]],
      [{ blocked: true, planId: otherPlan.id }, [other]],
      [{ blocked: true, late: true }, [late]],
      [{ failing: true }, [late, other]],
      [{ failing: true, late: false }, [other]],
      [{ failing: true, planId: fixture.plan.id }, [late]],
      [{ failing: false }, all.filter((row) => row !== late && row !== other)],
      [{ ending: true }, [other, running]],
      [{ ending: true, status: 'cancelled' }, [running]],
      [{ ending: true, status: 'ended' }, []],
      [{ ending: true, failing: true, wallet }, [other]],
      [{ ending: false }, all.filter((row) => row !== running && row !== other)],
      [{ blocked: false, status: 'unpaid' }, [parked]],
      [{ blocked: false, late: false, wallet }, [active]],
    ];
    for (const [filter, rows] of expected)
      expectEqual(
        await searchAll(store, fixture, filter),
        idsNewestFirst(rows),
        `what a search for ${JSON.stringify(filter)} finds`,
      );
    expectEqual(
      await search(store, fixture, { planId: otherPlan.id }, null, 9),
      { found: [{ subscription: other, plan: otherPlan }], unreadable: [], next: null },
      'the whole answer of a search',
    );
    expectEqual(await searchAll(store, fixture, { id: elsewhere.plan.id as never }), [], 'an unknown id');
  },

  'counts what a search finds, up to a limit': async ({ store }) => {
    const fixture = await storeFixture(store);
    for (let count = 0; count < 3; count++) await fixture.aStoredSubscription({ createdAt: at(count) });
    await fixture.aStoredSubscription({ status: 'stopped' });
    const count = (limit: number) =>
      store.countSubscriptions(fixture.project.id, { ...EVERYTHING, status: 'active' }, NOW, limit);
    for (const [limit, counted, more] of [
      [2, 2, true],
      [3, 3, false],
      [9, 3, false],
    ] as const) {
      const found = await count(limit);
      expectEqual([found.count, found.more], [counted, more], `the count of up to ${limit}`);
    }
  },

  'counts those that are charged again, by plan': async ({ store }) => {
    const fixture = await storeFixture(store);
    const ending = await fixture.aStoredPlan({ endsAt: at(9000) });
    const nextTryAt = at(8000);
    const stored = (given: Partial<Subscription>) =>
      fixture.aStoredSubscription({ nextTryAt, createdAt: at(2), ...given });
    await stored({ createdAt: at(1) });
    await stored({ status: 'unpaid' });
    await stored({ planId: ending.id });
    await stored({ planId: ending.id, nextTryAt: at(9000) });
    await stored({ pausedAt: at(1) });
    await stored({ nextTryAt: null });
    await stored({ termsSigned: false });
    await stored({
      status: 'cancelled',
      cancellation: { confirmedAt: at(1), expiresAt: nextTryAt, behind: false, lapse: null },
    });
    await stored({ status: 'stopped' });
    const charged = async (limit: number) => {
      const counted = await store.countSubscriptions(fixture.project.id, EVERYTHING, NOW, limit);
      return new Map(counted.charged.map(({ planId, count }) => [planId, count]));
    };
    const all = await charged(20);
    expectEqual([all.get(fixture.plan.id), all.get(ending.id)], [2, 1], 'those charged again, by plan');
    expectEqual((await charged(8)).get(fixture.plan.id), 1, 'those of the eight newest to one plan');
  },

  'neither repeats nor skips subscriptions of a search while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const unpaid = (createdAt: Date) => fixture.aSubscription({ status: 'unpaid', createdAt });
    const rows = [5, 5, 5, 1, 9, 5, 9, 3, 1].map((ms) => unpaid(at(ms)));
    const others = rows.map(({ createdAt }) => fixture.aSubscription({ createdAt }));
    await mustCommit(store, ...[...rows, ...others].map((row) => aCommit(row)));
    expectEqual(
      await searchAll(store, fixture, { status: 'unpaid' }, () =>
        mustCommit(peer, aCommit(unpaid(at(1000)))),
      ),
      idsNewestFirst(rows),
      'the subscriptions stored before the first page',
    );
  },

  'goes on with a search after a subscription that does not fit any more': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const stored = (ms: number) => fixture.aStoredSubscription({ status: 'unpaid', createdAt: at(ms) });
    const [oldest, paid] = [await stored(1), await stored(2)];
    await stored(3);
    await mustCommit(store, aCommit(nextVersion(paid, { status: 'active' })));
    expectEqual(
      (await search(store, fixture, { late: true }, paid.id)).found.map(
        ({ subscription }) => subscription.id,
      ),
      [oldest.id],
      'what follows a subscription that paid',
    );
    const foreign = await elsewhere.aStoredSubscription();
    for (const id of [foreign.id, anId('sub')])
      expectEqual(
        await store.searchSubscriptions(fixture.project.id, EVERYTHING, NOW, { limit: 2, startingAfter: id }),
        'unknown_cursor',
        'the page after a subscription that the project does not have',
      );
  },
};
