import type { Page, PageRequest, Store } from '../../ports/store.js';
import {
  PLAN_ACCESS_FIELDS,
  SUBSCRIPTION_ACCESS_FIELDS,
  type Attempt,
  type SubscriptionEvent,
  type AccessInput,
  type Subscription,
} from '../../records/index.js';
import { aCheckout, aCommit, anAttempt, anEvent, anId, aSubscription } from '../records.js';
import { must } from '../conformance.js';
import { same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredPlan, aStoredSubscription, at, aWorld, committed, next, of, type World } from './world.js';

type Read<SubscriptionChanges extends { readonly id: string }> = (
  ask: PageRequest<SubscriptionChanges['id']>,
) => Promise<Page<SubscriptionChanges> | 'unknown_cursor'>;

/** Follows a list to its end, two rows a page. `between` runs before every further page. */
async function walk<SubscriptionChanges extends { readonly id: string }>(
  read: Read<SubscriptionChanges>,
  between: () => Promise<void>,
): Promise<SubscriptionChanges['id'][]> {
  const seen: SubscriptionChanges['id'][] = [];
  for (let startingAfter: SubscriptionChanges['id'] | null = null; ;) {
    const page = await read({ limit: 2, startingAfter });
    must(page !== 'unknown_cursor', 'the last row of a page is a cursor of the list');
    seen.push(...page.data.map((row) => row.id));
    if (!page.hasMore) return seen;
    startingAfter = seen.at(-1) ?? null;
    await between();
  }
}

/** Instants of nine rows, several of which share one. */
const INSTANTS = [5, 5, 5, 1, 9, 5, 9, 3, 1].map(at);

/** The ids of rows in the order of every list (requests#identifiers). */
function newestFirst<SubscriptionChanges extends { readonly id: string }>(rows: readonly SubscriptionChanges[], when: (row: SubscriptionChanges) => Date) {
  return [...rows]
    .sort((a, b) => when(b).getTime() - when(a).getTime() || (a.id < b.id ? 1 : -1))
    .map((row) => row.id);
}

const subscriptionsOf =
  (store: Store, { project }: World, wallet: string, planId: Subscription['planId'] | null = null) =>
  async (ask: PageRequest<Subscription['id']>) => {
    const page = await store.listByCustomer(project.id, { by: 'wallet', value: wallet }, planId, ask);
    return page === 'unknown_cursor'
      ? page
      : { ...page, data: page.data.map(({ subscription }) => subscription) };
  };

/** Lists by page: newest first, and steady while rows are written (lists#keyset-pagination). */
export const lists: Promises = {
  'a customer’s subscriptions neither repeat nor hide while others are written': async ({ store, peer }) => {
    const world = await aWorld(store);
    const { wallet } = aSubscription();
    const ended = (createdAt: Date) => aSubscription({ ...of(world), wallet, status: 'ended', createdAt });
    const rows = INSTANTS.map(ended);
    await committed(store, ...rows.map((row) => aCommit(row)));
    const seen = await walk(subscriptionsOf(store, world, wallet), async () => {
      await committed(peer, aCommit(ended(at(1000))));
    });
    same(
      seen,
      newestFirst(rows, (row) => row.createdAt),
      'the rows that stood at the first page',
    );
  },

  'attempts neither repeat nor hide while others are written': async ({ store, peer }) => {
    const world = await aWorld(store);
    let subscription = aSubscription(of(world));
    const attempt = (attemptedAt: Date) =>
      anAttempt({ subscriptionId: subscription.id, attemptedAt, outcome: 'skipped', reason: 'cancelled' });
    const attempts = INSTANTS.map(attempt);
    await committed(store, aCommit(subscription, { attempts }));
    const seen = await walk<Attempt>(
      (ask) => store.listAttempts(subscription.id, ask),
      async () => {
        subscription = next(subscription);
        await committed(peer, aCommit(subscription, { attempts: [attempt(at(1000))] }));
      },
    );
    same(
      seen,
      newestFirst(attempts, (row) => row.attemptedAt),
      'the attempts that stood at the first page',
    );
  },

  'events neither repeat nor hide while others are written': async ({ store, peer }) => {
    const world = await aWorld(store);
    let subscription = aSubscription(of(world));
    let sequence = 0;
    const event = (createdAt: Date) => anEvent({ ...idsOf(subscription), createdAt, sequence: ++sequence });
    const events = INSTANTS.map(event);
    await committed(store, aCommit(subscription, { events }));
    const seen = await walk<SubscriptionEvent>(
      (ask) => store.listEvents(world.project.id, at(0), { type: null, subscriptionId: null }, ask),
      async () => {
        subscription = next(subscription);
        await committed(peer, aCommit(subscription, { events: [event(at(1000))] }));
      },
    );
    same(
      seen,
      newestFirst(events, (row) => row.createdAt),
      'the events that stood at the first page',
    );
  },

  'a page says truly whether there are more': async ({ store }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const attempts = [1, 2, 3].map((ms) =>
      anAttempt({ subscriptionId: subscription.id, attemptedAt: at(ms), periodStart: at(ms) }),
    );
    await committed(store, aCommit(subscription, { attempts }));
    for (const [limit, hasMore] of [
      [2, true],
      [3, false],
      [4, false],
    ] as const) {
      const page = await store.listAttempts(subscription.id, { limit, startingAfter: null });
      must(page !== 'unknown_cursor', 'a first page has no cursor');
      same([page.data.length, page.hasMore], [Math.min(limit, 3), hasMore], `a page of ${limit} of 3`);
    }
    const oldest = attempts[0]?.id ?? null;
    same(
      await store.listAttempts(subscription.id, { limit: 2, startingAfter: oldest }),
      { data: [], hasMore: false },
      'the page after the last row',
    );
  },

  'an id that is not in the list is an unknown cursor (lists#keyset-pagination)': async ({ store }) => {
    const world = await aWorld(store);
    const otherPlan = await aStoredPlan(store, world.project);
    const mine = await aStoredSubscription(store, world, { createdAt: at(1) });
    const theirs = await aStoredSubscription(store, world);
    const { wallet } = mine;
    const superseded = await aStoredSubscription(store, world, { wallet, status: 'superseded' });
    const read = subscriptionsOf(store, world, wallet);
    for (const id of [anId('sub'), theirs.id, superseded.id])
      same(await read({ limit: 2, startingAfter: id }), 'unknown_cursor', 'a cursor outside of the list');
    same(
      await subscriptionsOf(store, world, wallet, otherPlan.id)({ limit: 2, startingAfter: mine.id }),
      'unknown_cursor',
      'a cursor outside of the plan asked for',
    );

    const attempt = anAttempt({ subscriptionId: mine.id });
    const event = anEvent({ ...idsOf(mine), createdAt: at(5) });
    await committed(store, aCommit(next(mine), { attempts: [attempt], events: [event] }));
    for (const [subscriptionId, id] of [
      [theirs.id, attempt.id],
      [mine.id, anId('att')],
    ] as const)
      same(
        await store.listAttempts(subscriptionId, { limit: 2, startingAfter: id }),
        'unknown_cursor',
        'an attempt outside of the list',
      );
    const everything = { type: null, subscriptionId: null };
    for (const [since, filter, id] of [
      [at(0), everything, anId('evt')],
      [at(6), everything, event.id],
      [at(0), { type: 'subscription.ended', subscriptionId: null }, event.id],
      [at(0), { type: null, subscriptionId: theirs.id }, event.id],
    ] as const)
      same(
        await store.listEvents(world.project.id, since, filter, { limit: 2, startingAfter: id }),
        'unknown_cursor',
        'an event outside of the list',
      );
  },

  'events are listed from an instant on, by type and by subscription': async ({ store }) => {
    const world = await aWorld(store);
    const elsewhere = await aWorld(store);
    const one = aSubscription(of(world));
    const two = aSubscription(of(world));
    const foreign = aSubscription(of(elsewhere));
    const [old, created, renewed] = [
      anEvent({ ...idsOf(one), createdAt: at(1), sequence: 1 }),
      anEvent({ ...idsOf(one), createdAt: at(2), sequence: 2 }),
      anEvent({ ...idsOf(two), createdAt: at(3), type: 'subscription.renewed' }),
    ];
    const hidden = anEvent({ ...idsOf(foreign), createdAt: at(4) });
    await committed(
      store,
      aCommit(one, { events: [old, created] }),
      aCommit(two, { events: [renewed] }),
      aCommit(foreign, { events: [hidden] }),
    );
    const list = async (filter: Parameters<Store['listEvents']>[2]) =>
      store.listEvents(world.project.id, at(2), filter, { limit: 9, startingAfter: null });
    const page = (...data: unknown[]) => ({ data, hasMore: false });
    same(await list({ type: null, subscriptionId: null }), page(renewed, created), 'all');
    same(await list({ type: 'subscription.renewed', subscriptionId: null }), page(renewed), 'of a type');
    same(await list({ type: null, subscriptionId: one.id }), page(created), 'of a subscription');
    same(await list({ type: 'subscription.renewed', subscriptionId: one.id }), page(), 'of both');
    same(await store.findEvent(world.project.id, hidden.id), null, 'another project’s event');
  },

  'a customer is found by wallet, by id and by email, and only in the project': async ({ store }) => {
    const world = await aWorld(store);
    const elsewhere = await aWorld(store);
    const otherPlan = await aStoredPlan(store, world.project);
    const who = { externalId: 'reader-1', email: 'reader@example.com' };
    const mine = await aStoredSubscription(store, world, { ...who, createdAt: at(3) });
    const { wallet } = mine;
    const other = await aStoredSubscription(store, world, {
      ...who,
      wallet,
      planId: otherPlan.id,
      createdAt: at(2),
    });
    const gone = await aStoredSubscription(store, world, {
      ...who,
      wallet,
      status: 'superseded',
      createdAt: at(1),
    });
    await aStoredSubscription(store, elsewhere, { ...who, wallet });
    await aStoredSubscription(store, world);
    const expired = await aStoredSubscription(store, world, {
      ...who,
      wallet,
      status: 'expired',
      createdAt: at(0),
    });
    const customers = [
      { by: 'wallet', value: wallet },
      { by: 'external_id', value: who.externalId },
      { by: 'email', value: who.email },
    ] as const;
    const { project, plan } = world;
    for (const customer of customers) {
      same(
        (await store.listForAccess(project.id, customer, null)).map(forAccess),
        [
          { subscription: mine, plan },
          { subscription: other, plan: otherPlan },
          { subscription: gone, plan },
        ].map(forAccess),
        `all of a customer by ${customer.by} but the expired checkout`,
      );
      same(
        (await store.listForAccess(project.id, customer, otherPlan.slug)).map(forAccess),
        [{ subscription: other, plan: otherPlan }].map(forAccess),
        'what is of one plan',
      );
      same(
        await store.listByCustomer(project.id, customer, plan.id, { limit: 9, startingAfter: null }),
        {
          data: [
            { subscription: mine, plan },
            { subscription: expired, plan },
          ],
          hasMore: false,
        },
        'the list, without superseded ones',
      );
    }
    same(
      await store.listForAccess(project.id, { by: 'email', value: 'reader-1' }, null),
      [],
      'an id is not an email',
    );
    same(
      await store.listByWalletAndPlan(plan.id, wallet),
      [mine, gone],
      'by wallet and plan, without expired ones',
    );
    same(await store.findSubscription(elsewhere.project.id, mine.id), null, 'another project’s subscription');
  },

  'checkouts are counted for the project and the customer (checkout#pending-caps)': async ({ store }) => {
    const world = await aWorld(store);
    const elsewhere = await aWorld(store);
    const count = (value: string) => store.countPending(world.project.id, { by: 'external_id', value });
    const none = { count: 0, oldestExpiresAt: null };
    same(await count('a'), { project: none, customer: none }, 'none');
    const checkout = (externalId: string | null, checkoutExpiresAt: Date) =>
      aCommit(aCheckout({ ...of(world), externalId, checkoutExpiresAt }));
    await committed(
      store,
      checkout('a', at(5)),
      checkout('a', at(4)),
      checkout('b', at(3)),
      checkout(null, at(6)),
      aCommit(aCheckout({ ...of(world), externalId: 'a', status: 'expired', checkoutExpiresAt: null })),
      aCommit(aCheckout({ ...of(elsewhere), externalId: 'a', checkoutExpiresAt: at(1) })),
    );
    const project = { count: 4, oldestExpiresAt: at(3) };
    same(
      await count('a'),
      { project, customer: { count: 2, oldestExpiresAt: at(4) } },
      'two of one customer, whose own oldest frees its place',
    );
    same(await count('c'), { project, customer: none }, 'none of another');
  },

  'a seat is a wallet that is running or not past its cancellation’s end, and not parked (seats-and-tiers#what-a-seat-is)': async ({
    store,
  }) => {
    const world = await aWorld(store);
    const otherPlan = await aStoredPlan(store, world.project);
    const elsewhere = await aWorld(store);
    const cancelled = (expiresAt: Date) =>
      ({ status: 'cancelled', cancellation: { confirmedAt: at(0), expiresAt, behind: false } }) as const;
    const holder = await aStoredSubscription(store, world);
    await aStoredSubscription(store, world, { wallet: holder.wallet, planId: otherPlan.id });
    await aStoredSubscription(store, world, { status: 'unpaid' });
    await aStoredSubscription(store, world, cancelled(at(101)));
    await aStoredSubscription(store, world, cancelled(at(100)));
    await aStoredSubscription(store, world, { pausedAt: at(1) });
    for (const status of ['pending', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const)
      await aStoredSubscription(store, world, { status });
    await aStoredSubscription(store, elsewhere);
    const { id } = world.project;
    same(await store.countOtherSeats(id, aSubscription().wallet, at(100)), 3, 'seats of others');
    same(await store.countOtherSeats(id, holder.wallet, at(100)), 2, 'without the wallet’s own');
    same(await store.countOtherSeats(id, holder.wallet, at(101)), 1, 'once the cancellation ended');
  },
};

function idsOf(subscription: Subscription) {
  return { projectId: subscription.projectId, subscriptionId: subscription.id };
}

/** What a store must give of a pair. It may give more: one that holds whole records has nothing to gain by cutting them. */
function forAccess({ subscription, plan }: AccessInput) {
  return [
    SUBSCRIPTION_ACCESS_FIELDS.map((field) => subscription[field]),
    PLAN_ACCESS_FIELDS.map((field) => plan[field]),
  ];
}
