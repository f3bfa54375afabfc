import type { PageRequest, Store, Commit } from '../../../ports/store.js';
import {
  PLAN_ACCESS_FIELDS,
  SUBSCRIPTION_ACCESS_FIELDS,
  type Attempt,
  type SubscriptionEvent,
  type AccessInput,
  type Subscription,
} from '../../../records/index.js';
import { expectThat, expectEach, expectEqual } from '../../expect.js';
import { aCommit, anAttempt, anId, aSubscription, anEndpoint, aProject, aTransfer } from '../../records.js';
import { created, INSTANTS, newestFirst, readAllPages } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';
import { at, mustCommit, nextVersion, storeFixture, eventOf, aStoredPlan, type Fixture } from '../fixture.js';

const subscriptionsOf =
  (store: Store, { project }: Fixture, wallet: string, planId: Subscription['planId'] | null = null) =>
  async (request: PageRequest<Subscription['id']>) => {
    const page = await store.listByCustomer(project.id, { by: 'wallet', value: wallet }, planId, request);
    return page === 'unknown_cursor'
      ? page
      : { ...page, data: page.data.map(({ subscription }) => subscription) };
  };

/** Lists are paged newest first, and stay consistent while rows are written (keyset pagination). */
export const listTests: StoreTests = {
  'neither repeats nor skips subscriptions while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { wallet } = aSubscription();
    const ended = (createdAt: Date) => fixture.aSubscription({ wallet, status: 'ended', createdAt });
    const rows = INSTANTS.map(ended);
    await mustCommit(store, ...rows.map((row) => aCommit(row)));
    const seen = await readAllPages(subscriptionsOf(store, fixture, wallet), async () => {
      await mustCommit(peer, aCommit(ended(at(1000))));
    });
    expectEqual(seen, newestFirst(rows, created), 'the subscriptions stored before the first page');
  },

  'neither repeats nor skips attempts while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    let subscription = fixture.aSubscription();
    const attempt = (attemptedAt: Date) =>
      anAttempt({ subscriptionId: subscription.id, attemptedAt, outcome: 'skipped', reason: 'cancelled' });
    const attempts = INSTANTS.map(attempt);
    await mustCommit(store, aCommit(subscription, { attempts }));
    const seen = await readAllPages<Attempt>(
      (request) => store.listAttempts(subscription.id, request),
      async () => {
        subscription = nextVersion(subscription);
        await mustCommit(peer, aCommit(subscription, { attempts: [attempt(at(1000))] }));
      },
    );
    expectEqual(
      seen,
      newestFirst(attempts, (row) => row.attemptedAt),
      'those stored before the first page',
    );
  },

  'neither repeats nor skips events while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    let subscription = fixture.aSubscription();
    let sequence = 0;
    const event = (createdAt: Date) => eventOf(subscription, ++sequence, { createdAt });
    const events = INSTANTS.map(event);
    await mustCommit(store, aCommit(subscription, { events }));
    const seen = await readAllPages<SubscriptionEvent>(
      (request) => store.listEvents(fixture.project.id, at(0), { type: null, subscriptionId: null }, request),
      async () => {
        subscription = nextVersion(subscription);
        await mustCommit(peer, aCommit(subscription, { events: [event(at(1000))] }));
      },
    );
    expectEqual(
      seen,
      events.map(({ id }) => id).reverse(),
      'the events written before the first page was read, the last written first',
    );
  },

  'returns whether more rows follow a page': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const attempts = [1, 2, 3].map((ms) =>
      anAttempt({ subscriptionId: subscription.id, attemptedAt: at(ms), periodStart: at(ms) }),
    );
    await mustCommit(store, aCommit(subscription, { attempts }));
    for (const [limit, hasMore] of [
      [2, true],
      [3, false],
      [4, false],
    ] as const) {
      const page = await store.listAttempts(subscription.id, { limit, startingAfter: null });
      expectThat(page !== 'unknown_cursor', 'a first page not to be unknown_cursor');
      expectEqual(
        [page.data.length, page.hasMore],
        [Math.min(limit, 3), hasMore],
        `the length and hasMore of a page of ${limit}, out of 3 rows`,
      );
    }
    const oldest = attempts[0]?.id ?? null;
    expectEqual(
      await store.listAttempts(subscription.id, { limit: 2, startingAfter: oldest }),
      { data: [], hasMore: false },
      'the page after the last row',
    );
  },

  'returns unknown_cursor for an id that is not in the list': async ({ store }) => {
    const fixture = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan();
    const mine = await fixture.aStoredSubscription({ createdAt: at(1) });
    const theirs = await fixture.aStoredSubscription();
    const { wallet } = mine;
    const superseded = await fixture.aStoredSubscription({ wallet, status: 'superseded' });
    const read = subscriptionsOf(store, fixture, wallet);
    for (const id of [anId('sub'), theirs.id, superseded.id])
      expectEqual(await read({ limit: 2, startingAfter: id }), 'unknown_cursor', 'an outside cursor');
    expectEqual(
      await subscriptionsOf(store, fixture, wallet, otherPlan.id)({ limit: 2, startingAfter: mine.id }),
      'unknown_cursor',
      'the page after a subscription to another plan',
    );

    const attempt = anAttempt({ subscriptionId: mine.id });
    const event = eventOf(mine, 1, { createdAt: at(5) });
    await mustCommit(store, aCommit(nextVersion(mine), { attempts: [attempt], events: [event] }));
    for (const [subscriptionId, id] of [
      [theirs.id, attempt.id],
      [mine.id, anId('att')],
    ] as const)
      expectEqual(
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
      expectEqual(
        await store.listEvents(fixture.project.id, since, filter, { limit: 2, startingAfter: id }),
        'unknown_cursor',
        'an event outside of the list',
      );
  },

  'lists events since an instant, by type and by subscription': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const one = fixture.aSubscription();
    const two = fixture.aSubscription();
    const foreign = elsewhere.aSubscription();
    const [old, created, late, renewed] = [
      eventOf(one, 1, { createdAt: at(1) }),
      eventOf(one, 2, { createdAt: at(2) }),
      // Older than the one that is written before it.
      eventOf(two, 1, { createdAt: at(1) }),
      eventOf(two, 2, { createdAt: at(3), type: 'subscription.renewed' }),
    ];
    const hidden = eventOf(foreign, 1, { createdAt: at(4) });
    await mustCommit(
      store,
      aCommit(one, { events: [old, created] }),
      aCommit(two, { events: [late, renewed] }),
      aCommit(foreign, { events: [hidden] }),
    );
    const list = async (filter: Parameters<Store['listEvents']>[2]) =>
      store.listEvents(fixture.project.id, at(2), filter, { limit: 9, startingAfter: null });
    const page = (...data: unknown[]) => ({ data, hasMore: false });
    await expectEach(
      [() => list({ type: null, subscriptionId: null }), page(renewed, created), 'the page of all events'],
      [() => list({ type: 'subscription.renewed', subscriptionId: null }), page(renewed), 'that of a type'],
      [() => list({ type: null, subscriptionId: one.id }), page(created), 'the page of a subscription'],
      [() => list({ type: 'subscription.renewed', subscriptionId: one.id }), page(), 'the page of both'],
      [() => store.findEvent(fixture.project.id, hidden.id), null, 'an event of another project'],
    );
  },

  'finds a customer by wallet, external id and email, and only within the project': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan();
    const failedPlan = await fixture.aStoredPlan({ slug: otherPlan.slug, status: 'failed' });
    const { wallet } = aSubscription();
    const who = { externalId: 'reader-1', email: 'reader@example.com', wallet };
    const mine = await fixture.aStoredSubscription({ ...who, createdAt: at(3) });
    const other = await fixture.aStoredSubscription({ ...who, planId: otherPlan.id, createdAt: at(2) });
    const superseded = await fixture.aStoredSubscription({ ...who, status: 'superseded', createdAt: at(1) });
    const toFailed = { planId: failedPlan.id, status: 'failed', createdAt: at(0) } as const;
    const failed = await fixture.aStoredSubscription({ ...who, ...toFailed });
    await elsewhere.aStoredSubscription({ ...who, wallet });
    await fixture.aStoredSubscription();
    const expired = await fixture.aStoredSubscription({ ...who, status: 'expired', createdAt: at(0) });
    const customers = [
      { by: 'wallet', value: wallet },
      { by: 'external_id', value: who.externalId },
      { by: 'email', value: who.email },
    ] as const;
    const { project, plan } = fixture;
    for (const customer of customers) {
      expectEqual(
        (await store.listForAccess(project.id, customer, null)).map(forAccess),
        [
          { subscription: mine, plan },
          { subscription: other, plan: otherPlan },
          { subscription: superseded, plan },
          { subscription: failed, plan: failedPlan },
        ].map(forAccess),
        `the subscriptions of a customer by ${customer.by}, without the expired checkout`,
      );
      expectEqual(
        (await store.listForAccess(project.id, customer, otherPlan.slug)).map(forAccess),
        [
          { subscription: other, plan: otherPlan },
          { subscription: failed, plan: failedPlan },
        ].map(forAccess),
        'the customer’s subscriptions to the plans of one slug',
      );
      expectEqual(
        await store.listByCustomer(project.id, customer, plan.id, { limit: 9, startingAfter: null }),
        {
          data: [
            { subscription: mine, plan },
            { subscription: expired, plan },
          ],
          hasMore: false,
        },
        'the page without superseded subscriptions',
      );
    }
    await expectEach(
      [
        () => store.listForAccess(project.id, { by: 'email', value: 'reader-1' }, null),
        [],
        'those of an email that is an external id',
      ],
      [() => store.listByWalletAndPlan(plan.id, wallet), [mine, superseded], 'those of a wallet and a plan'],
      [() => store.findSubscription(elsewhere.project.id, mine.id), null, 'that of another project'],
    );
  },
};

/** The fields that a store must return: others are not compared. */
function forAccess({ subscription, plan }: AccessInput) {
  return [
    SUBSCRIPTION_ACCESS_FIELDS.map((field) => subscription[field]),
    PLAN_ACCESS_FIELDS.map((field) => plan[field]),
  ];
}

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Lists without pages are in the same order as those with pages. */
export const orderTests: StoreTests = {
  'lists projects newest first, and by id within one instant': async ({ store }) => {
    const projects = INSTANTS.map((createdAt) => aProject({ createdAt }));
    for (const project of projects) await store.insertProject(project);
    expectEqual(idsIn(await store.listProjects()), newestFirst(projects, created), 'the ids of all projects');
  },

  'lists endpoints newest first, and by id within one instant': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    const endpoints = INSTANTS.map((createdAt) => anEndpoint({ projectId: project.id, createdAt }));
    for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
    expectEqual(
      idsIn((await store.listEndpoints(project.id)).endpoints),
      newestFirst(endpoints, created),
      'the ids of its endpoints',
    );
  },

  'lists transfers newest first, by id within one instant, at most the limit': async ({ store }) => {
    const subscription = (await storeFixture(store)).aSubscription();
    const transfers = INSTANTS.map((createdAt) =>
      aTransfer({ subscriptionId: subscription.id, state: 'failed', createdAt }),
    );
    await mustCommit(store, aCommit(subscription, { transfers }));
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 9)),
      newestFirst(transfers, created),
      'the ids of the transfers',
    );
    expectEqual(
      idsIn(await store.listTransfers(subscription.id, 3)),
      newestFirst(transfers, created).slice(0, 3),
      'the ids of the three newest',
    );
  },

  'lists subscriptions newest first, and by id within one instant': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { wallet } = aSubscription();
    const rows = INSTANTS.map((createdAt) => fixture.aSubscription({ wallet, status: 'ended', createdAt }));
    await mustCommit(store, ...rows.map((row): Commit => aCommit(row)));
    const { project, plan } = fixture;
    expectEqual(
      idsIn(await store.listByWalletAndPlan(plan.id, wallet)),
      newestFirst(rows, created),
      'the ids of a wallet and a plan',
    );
    const forAccess = await store.listForAccess(project.id, { by: 'wallet', value: wallet }, null);
    expectEqual(
      forAccess.map(({ subscription }) => subscription.id),
      newestFirst(rows, created),
      'the ids',
    );
  },

  'lists the plans of a project newest first, then by id, of some statuses': async ({ store }) => {
    const project = aProject();
    await store.insertProject(project);
    await storeFixture(store);
    const draft = await aStoredPlan(store, project, { status: 'draft', createdAt: at(2) });
    const closed = await aStoredPlan(store, project, { status: 'closed', createdAt: at(3) });
    const failed = await aStoredPlan(store, project, { status: 'failed', createdAt: at(1) });
    const sunset = await aStoredPlan(store, project, { status: 'sunset', createdAt: at(4) });
    const active = await aStoredPlan(store, project, { createdAt: at(2) });
    const sameInstant = [draft, active].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const every = [sunset, closed, ...sameInstant, failed];
    expectEqual(await store.listPlans(project.id, null), every, 'every plan of a project');
    const published = await store.listPlans(project.id, ['active', 'sunset']);
    expectEqual(published, [sunset, active], 'those that are active or sunset');
    expectEqual(await store.listPlans(project.id, []), [], 'those of no status');
    expectEqual(await store.listPlans(aProject().id, null), [], 'the plans of an unknown project');
  },
};
