import type { ParkedSubscription, Store } from '../../../ports/index.js';
import type { ProjectId, SessionId, Subscription } from '../../../records/index.js';
import { expectEach, expectEqual } from '../../expect.js';
import { at, storeFixture, mustCommit } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';
import type { Customer, PendingOwner } from '../../../ports/store.js';
import { aCommit, anAddress, anId } from '../../records.js';

const cancelled = (expiresAt: Date) =>
  ({
    status: 'cancelled',
    cancellation: { confirmedAt: at(0), expiresAt, behind: false, lapse: null },
  }) as const;

/** Seats, and which of them a project parks and returns. */
export const seatTests: StoreTests = {
  'lists the wallets beyond a number of seats, the one that was confirmed last first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { id } = fixture.project;
    const confirmed = (wallet: string, ms: number, given: Partial<Subscription> = {}) =>
      fixture.aStoredSubscription({ wallet, confirmedAt: at(ms), ...given });
    const otherPlan = { planId: (await fixture.aStoredPlan()).id };
    await confirmed('c', 2);
    await confirmed('b', 2);
    await confirmed('d', 1);
    await confirmed('d', 9, otherPlan);
    await confirmed('a', 5, { status: 'unpaid', confirmedAt: null, createdAt: at(5) });
    await confirmed('e', 7, cancelled(at(101)));
    await confirmed('f', 8, cancelled(at(100)));
    await confirmed('g', 0, { pausedAt: at(50) });
    await confirmed('g', 6, otherPlan);
    for (const status of ['pending', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)
      await confirmed('h', 20, { status });
    await elsewhere.aStoredSubscription({ wallet: 'i', confirmedAt: at(20) });
    const over = (seats: number, limit: number, now = at(100)) => store.listSeatsOver(id, seats, now, limit);
    await expectEach(
      [() => over(0, 10), ['e', 'g', 'a', 'c', 'b', 'd'], 'every seat'],
      [() => over(4, 10), ['e', 'g'], 'the seats beyond four'],
      [() => over(1, 2), ['e', 'g'], 'of those beyond one seat the two that were confirmed last'],
      [() => over(6, 10), [], 'the seats beyond all there are'],
      [() => over(4, 10, at(101)), ['g'], 'the seats once a cancellation took effect'],
    );
  },

  'lists the parked subscriptions in the order of their parking, in pages': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan = { planId: (await fixture.aStoredPlan()).id };
    const parked = (wallet: string, pausedAt: number, confirmed: number, given: Partial<Subscription> = {}) =>
      fixture.aStoredSubscription({ wallet, pausedAt: at(pausedAt), confirmedAt: at(confirmed), ...given });
    const inOrder = [
      await parked('d', 10, 8),
      await parked('b', 20, 1, { status: 'unpaid' }),
      await parked('c', 20, 2, { confirmedAt: null, createdAt: at(2) }),
      await parked('a', 20, 3, cancelled(at(100))),
      await parked('e', 20, 3),
      await parked('d', 30, 4, otherPlan),
    ];
    const has = (wallet: string, given: Partial<Subscription>) =>
      fixture.aStoredSubscription({ wallet, ...otherPlan, ...given });
    await has('a', { status: 'unpaid' });
    await has('b', cancelled(at(100)));
    await has('c', { status: 'stopped' });
    await elsewhere.aStoredSubscription({ wallet: 'e' });
    await elsewhere.aStoredSubscription({ wallet: 'd', pausedAt: at(1) });
    const withSeat = (wallets: string) =>
      inOrder.map(({ id, wallet, pausedAt, confirmedAt, createdAt }) => {
        const hasSeat = wallets.includes(wallet);
        return { id, wallet, pausedAt, confirmedAt: confirmedAt ?? createdAt, hasSeat };
      });
    const list = (limit: number, now: Date) => listParked(store, fixture.project.id, now, limit);
    expectEqual(await list(10, at(100)), [withSeat('a')], 'the parked subscriptions on one page');
    expectEqual(await list(10, at(99)), [withSeat('ab')], 'them before a cancellation takes effect');
    expectEqual(
      await list(2, at(100)),
      [withSeat('a').slice(0, 2), withSeat('a').slice(2, 4), withSeat('a').slice(4), []],
      'their pages of two',
    );
  },

  'reads the running subscriptions of some wallets, and counts the seats of all': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { id } = fixture.project;
    const otherPlan = { planId: (await fixture.aStoredPlan()).id };
    const of = (wallet: string, given: Partial<Subscription> = {}) =>
      fixture.aStoredSubscription({ wallet, ...given });
    const running = [
      await of('a'),
      await of('a', { ...otherPlan, pausedAt: at(1) }),
      await of('b', cancelled(at(100))),
      await of('c', { status: 'unpaid', pausedAt: at(2) }),
    ];
    for (const status of ['pending', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)
      await of('a', { status });
    await of('d');
    await of('d', otherPlan);
    await of('e', { confirmedAt: null });
    await elsewhere.aStoredSubscription({ wallet: 'a' });
    const read = async (wallets: readonly string[], most: number) => {
      const { subscriptions, seats } = await store.findSeats(id, wallets, at(100), most);
      return { subscriptions: byId(subscriptions), seats };
    };
    const subscriptions = byId(running);
    expectEqual(await read(['a', 'b', 'c'], 10), { subscriptions, seats: 3 }, 'three wallets');
    expectEqual(await read(['a', 'b', 'c'], 2), { subscriptions, seats: 2 }, 'them and two seats');
    expectEqual(await read(['a', 'b', 'c'], 0), { subscriptions, seats: 0 }, 'them and no seats');
    expectEqual(await read(['f'], 10), { subscriptions: [], seats: 3 }, 'a wallet without subscriptions');
  },

  'counts a seat per wallet that runs, or is cancelled and not yet expired': async ({ store }) => {
    const fixture = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan();
    const elsewhere = await storeFixture(store);
    const holder = await fixture.aStoredSubscription();
    await fixture.aStoredSubscription({ wallet: holder.wallet, planId: otherPlan.id });
    await fixture.aStoredSubscription({ status: 'unpaid' });
    await fixture.aStoredSubscription(cancelled(at(101)));
    await fixture.aStoredSubscription(cancelled(at(100)));
    await fixture.aStoredSubscription({ pausedAt: at(1) });
    for (const status of ['pending', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)
      await fixture.aStoredSubscription({ status });
    await elsewhere.aStoredSubscription();
    const seats = async (now: Date, most: number) =>
      (await store.findSeats(fixture.project.id, [], now, most)).seats;
    expectEqual(await seats(at(100), 9), 3, 'the seats');
    expectEqual(await seats(at(101), 9), 2, 'the seats once the cancellation took effect');
    expectEqual(await seats(at(100), 2), 2, 'the seats up to two');
  },
};

/** Every page, up to one that is not full. */
async function listParked(store: Store, id: ProjectId, now: Date, limit: number) {
  const pages: (readonly ParkedSubscription[])[] = [];
  do pages.push(await store.listParked(id, now, pages.at(-1)?.at(-1) ?? null, limit));
  while (pages.at(-1)?.length === limit);
  return pages;
}

/** The subscriptions in an order of their own, since the store may list them in any. */
function byId(subscriptions: readonly Subscription[]): readonly Subscription[] {
  return subscriptions.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

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
    const [session, otherSession] = [anId('chk'), anId('chk')];
    const checkout = (
      externalId: string | null,
      email: string | null,
      checkoutWallet: string,
      checkoutExpiresAt: Date,
      reservedFor: SessionId | null = null,
    ) =>
      aCommit(
        fixture.aCheckout({ externalId, email, wallet: checkoutWallet, checkoutExpiresAt, reservedFor }),
      );
    await mustCommit(
      store,
      checkout('id', 'ann@example.com', wallet, at(1)),
      checkout('id', null, otherWallet, at(2)),
      checkout(null, 'ann@example.com', wallet, at(3)),
      checkout(null, 'ann@example.com', otherWallet, at(4)),
      checkout(null, 'bob@example.com', wallet, at(5)),
      checkout(null, null, wallet, at(6)),
      checkout(null, null, wallet, at(-1), session),
      checkout(null, 'ann@example.com', otherWallet, at(-2), session),
      checkout(null, 'ann@example.com', wallet, at(-3), otherSession),
      checkout('id', null, otherWallet, at(-4), otherSession),
    );
    const countOf = async (owner: PendingOwner) =>
      (await store.countPending(fixture.project.id, owner)).customer;
    const count = (by: Customer['by'], value: string) => countOf({ by, value });
    expectEqual(
      await countOf({ by: 'session', value: session }),
      { count: 2, oldestExpiresAt: at(-2) },
      'the checkouts that are reserved for a session, with any email or wallet',
    );
    expectEqual(
      await countOf({ by: 'session', value: anId('chk') }),
      { count: 0, oldestExpiresAt: null },
      'the checkouts of a session that reserved none',
    );
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
