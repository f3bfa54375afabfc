import type { SubscriptionFilter } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  MADE_AT,
} from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createKyselyStore, migrate, type Database } from '../index.js';
import { longScan } from './scans.js';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { storedPlan } from '../../tests/stored-plan.js';

/** A store that records its queries. */
async function watchedStore() {
  const file = new SqliteFile(':memory:');
  const queries: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const longScans: string[] = [];
  const db = new Kysely<Database>({
    dialect: new SqliteDialect(file, 0),
    log: ({ query }) => {
      queries.push(query);
    },
  });
  await migrate(db, sqliteTraits);
  return {
    store: createKyselyStore(db, sqliteTraits),
    close: () => db.destroy(),
    /** What any of the statements scanned although it may be long. */
    longScans,
    /** SQLite's query plans for all statements of this work. */
    queryPlansOf: async (work: () => Promise<unknown>): Promise<string[]> => {
      queries.length = 0;
      await work();
      return queries
        .filter(({ sql }) => !/^(begin|commit|rollback|savepoint|release)/.test(sql))
        .flatMap(({ sql, parameters }) =>
          file
            .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
            .all(...parameters)
            .map(({ detail }) => {
              const scan = longScan(detail, sql);
              if (scan !== null) longScans.push(`${scan}: ${sql}`);
              return detail;
            }),
        );
    },
  };
}

test('queries of every request and every tick use an index and do not sort', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  const key = anApiKey({ projectId: project.id });
  const now = new Date('2027-01-01T00:00:00.000Z');
  await store.insertProject(project);
  await store.insertPlan(plan);
  await store.insertApiKey(key);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const event = anEvent({
    projectId: project.id,
    subscriptionId: subscription.id,
    type: 'subscription.ended',
    createdAt: MADE_AT,
  });
  await store.commit([aCommit(subscription, { events: [event] })]);
  const page = { limit: 20, startingAfter: null };
  const parkedPlace = { pausedAt: MADE_AT, confirmedAt: MADE_AT, wallet: subscription.wallet };

  const queryPlans = await queryPlansOf(async () => {
    await store.findApiKey(key.hash);
    await store.touchApiKey(key.id, now);
    await store.listApiKeys(project.id);
    await store.expireApiKey(key.id, now);
    await store.listPlans(project.id, null);
    await store.listPlans(project.id, ['active', 'sunset']);
    await store.deleteProject(project.id);
    await store.deleteProject(aProject().id);
    await store.findPlanBySlug(project.id, plan.slug);
    await store.findSubscription(project.id, subscription.id);
    await store.listByWalletAndPlan(plan.id, subscription.wallet);
    await store.findWalletSubscription(subscription.wallet, subscription.id);
    await store.listByWallet(subscription.wallet, page);
    for (const by of ['wallet', 'external_id', 'email'] as const) {
      const customer = { by, value: subscription.wallet };
      await store.listForAccess(project.id, customer, null);
      await store.listForAccess(project.id, customer, plan.slug);
      await store.listByCustomer(project.id, customer, null, page);
      await store.countPending(project.id, customer);
    }
    for (const after of [null, { ...parkedPlace, id: subscription.id }])
      await store.listParked(project.id, now, after, 10);
    for (const wallets of [[], [subscription.wallet, 'another']])
      await store.findSeats(project.id, wallets, now, 31);
    for (const after of [null, subscription]) await store.listLate(project.id, after, 10);
    await store.listAttempts(subscription.id, page);
    for (const type of [null, 'subscription.ended'] as const)
      for (const subscriptionId of [null, subscription.id])
        for (const startingAfter of [null, event.id])
          await store.listEvents(project.id, MADE_AT, { type, subscriptionId }, { limit: 20, startingAfter });
    await store.findOpenTransfer(subscription.id);
    await store.findTransferBySignature('signature');
    await store.listUnpricedAttempts(now, null, 10);
    await store.priceAttempts(new Map([[anAttempt().id, '1.00']]));
    await store.nextWakeAt();
    await store.claimPlanChecks(now, 10, 1000);
    await store.schedulePlanChecks([plan.id], now);
    await store.wakeSubscribers(plan.id, now, 10);
    await store.nextDeliveryAt();
    await store.claimDue(now, 10, 1000);
    await store.listAccessEnds(now, 10);
    for (const after of [null, event]) await store.listHeldEvents(10, after);
    await store.releaseEvents(subscription.id, new Map(), now);
    for (const after of [null, { at: MADE_AT, id: event.id }]) {
      await store.deleteDeliveries(now, 10, after);
      await store.deleteEvents(now, 10, after);
      await store.deleteExpiredCheckouts(now, 10, after);
    }
    await store.commit([aCommit({ ...subscription, version: 4 })]);
  });
  expect(queryPlans.length).toBeGreaterThan(25);
  expect(queryPlans.filter((line) => /TEMP B-TREE|AUTOMATIC/.test(line))).toEqual([]);
  for (const index of [
    'subscriptions_parked_longest',
    'subscriptions_parked_of_wallet',
    'subscriptions_status',
  ])
    expect(queryPlans.filter((line) => line.includes(` ${index} `))).not.toEqual([]);
  expect(longScans).toEqual([]);
  await close();
});

test('sending deliveries scans neither the endpoints nor the deliveries, and sorts none', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  const endpoint = anEndpoint({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  await store.insertEndpoint(endpoint);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const of = { projectId: project.id, subscriptionId: subscription.id };
  const event = anEvent(of);
  const delivery = aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id });
  await store.commit([aCommit(subscription, { events: [event], deliveries: [delivery] })]);
  const now = new Date('2027-01-01');
  const page = { limit: 20, startingAfter: null };

  const queryPlans = await queryPlansOf(async () => {
    await store.listEndpointsAfter(null, 10);
    await store.claimEndpoints(now, { healthy: 10, failing: 10 }, 1000);
    await store.listDueDeliveries(endpoint.id, now, 10, now);
    await store.saveBodiesIfAbsent([{ eventId: event.id, body: 'body' }]);
    await store.settleDeliveries([
      {
        delivery: { ...delivery, attempts: 1 },
        wasDueAt: delivery.nextAttemptAt,
        attempt: aDeliveryAttempt({ deliveryId: delivery.id }),
      },
    ]);
    await store.releaseEndpoint(endpoint.id, now);
    await store.resendDeliveries(endpoint.id, [event.id], ['pending'], now);
    // The first one finds the delivery that is sent again, and hastens it.
    for (const [after, cursor] of [
      [new Date(0), null],
      [now, { at: new Date('2027-02-01'), id: delivery.id }],
    ] as const)
      await store.hastenDeliveries(after, now, 10, cursor);
    await store.failDeliveries(endpoint.id, now);
    await store.listTestDeliveries(endpoint.id, now);
    await store.failUnfinishedTests(now, 'never finished', now);
    await store.listDeliveryAttempts(delivery.id);
    const all = { endpointId: null, eventId: null, state: null };
    await store.listProjectDeliveries(project.id, all, page);
    await store.listProjectDeliveries(project.id, { ...all, endpointId: endpoint.id }, page);
    await store.listProjectDeliveries(project.id, { ...all, state: 'failed' }, page);
    await store.listProjectDeliveries(
      project.id,
      { ...all, state: 'pending', endpointId: endpoint.id },
      page,
    );
  });
  expect(queryPlans.length).toBeGreaterThan(15);
  // The few that failed or are pending are found without reading the many that were delivered.
  expect(queryPlans.filter((line) => line.includes('deliveries_not_delivered'))).toHaveLength(2);
  expect(queryPlans.filter((line) => /TEMP B-TREE|AUTOMATIC/.test(line))).toEqual([]);
  expect(longScans).toEqual([]);
  await close();
});

/** How SQLite says that a statement has parts, each of which has its own lines. */
const PARTS = /^(COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL|(CO-ROUTINE|SCAN) next)$/;

test('each search of subscriptions goes along the index of its rarest filter, and sorts nothing', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const { project, plan } = await storedPlan(store);
  const given = { wallet: 'wallet', externalId: 'reader', email: 'reader@example.com' };
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, ...given });
  await store.commit([aCommit(subscription)]);
  const none = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, status: null, late: null, blocked: null },
  };
  const { wallet, externalId, email } = given;
  const planId = plan.id;
  const searches: readonly (readonly [Partial<SubscriptionFilter>, string])[] = [
    [{}, 'subscriptions_newest'],
    [{ id: subscription.id, wallet }, 'sqlite_autoindex_subscriptions_1'],
    [{ address: subscription.address, status: 'active' }, 'subscriptions_address'],
    [{ wallet, status: 'active', planId }, 'subscriptions_wallet'],
    [{ externalId, wallet, late: true }, 'subscriptions_external_id'],
    [{ email, planId }, 'subscriptions_email'],
    [{ planId }, 'subscriptions_newest_of_plan'],
    [{ planId, status: 'active', late: false }, 'subscriptions_status_of_plan'],
    [{ status: 'ended' }, 'subscriptions_status'],
    [{ status: 'unpaid', late: true }, 'subscriptions_status'],
    [{ status: 'active', late: true, planId }, 'subscriptions_status_of_plan'],
    [{ blocked: true, planId, status: 'active' }, 'subscriptions_newest_blocked'],
    [{ late: false, blocked: false }, 'subscriptions_newest'],
  ];
  for (const [filter, index] of searches)
    for (const startingAfter of [null, subscription.id]) {
      const page = { limit: 20, startingAfter };
      const queryPlans = await queryPlansOf(() =>
        store.searchSubscriptions(project.id, { ...none, ...filter }, MADE_AT, page),
      );
      const plans = queryPlans.filter(
        (line) => !/sqlite_autoindex_(plans|subscriptions)_1 \(id=\?\)$/.test(line) && !PARTS.test(line),
      );
      if (filter.id !== undefined) expect(plans).toEqual([]);
      else
        expect(plans.map((line) => / INDEX (\w+) /.exec(line)?.[1]).filter((used) => used !== index)).toEqual(
          [],
        );
    }
  const queryPlans = await queryPlansOf(async () => {
    await store.countHeldEvents(subscription.id);
    await store.listSubscriptionDeliveries(subscription.id, 21);
  });
  // The deliveries of one subscription are sorted: retention keeps those of 30 days.
  expect(queryPlans.filter((line) => /^SCAN/.test(line))).toEqual([]);
  expect(longScans).toEqual([]);
  await close();
});

test('what happened in a project is read from indexes that have nothing else', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const { project, plan } = await storedPlan(store);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const attempt = anAttempt({ subscriptionId: subscription.id });
  await store.commit([aCommit(subscription, { attempts: [attempt] })]);
  const until = new Date(MADE_AT.getTime() + 1);
  const attempts = await queryPlansOf(async () => {
    for (const after of [null, attempt])
      await store.listProjectAttempts(project.id, MADE_AT, until, after, 10);
  });
  expect(attempts.filter((line) => !line.includes('USING INDEX attempts_of_project'))).toEqual([]);
  const counts = await queryPlansOf(async () => {
    await store.countRunning(project.id);
    await store.countBegun(project.id, MADE_AT, until);
    await store.countLost(project.id, MADE_AT, until);
  });
  // Of the few plans and reasons that are counted, the groups are made in memory.
  expect(
    counts
      .filter((line) => !line.endsWith('USE TEMP B-TREE FOR GROUP BY'))
      .map((line) => line.split(' (')[0]),
  ).toEqual([
    'SEARCH subscriptions USING COVERING INDEX subscriptions_running_by_plan',
    'SEARCH subscriptions USING COVERING INDEX subscriptions_begun',
    'SEARCH subscriptions USING COVERING INDEX subscriptions_lost',
  ]);
  expect(longScans).toEqual([]);
  await close();
});

test('what comes next in a project is read by its dates, and not sorted', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const { project, plan } = await storedPlan(store, { endsAt: MADE_AT });
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  await store.commit([aCommit(subscription)]);
  const queryPlans = await queryPlansOf(async () => {
    for (const after of [null, { at: MADE_AT, id: subscription.id }]) {
      await store.listByNextTry(project.id, after, 10);
      await store.listByPlanEnd(project.id, after, 10);
    }
  });
  const indexes = queryPlans.map((line) => / INDEX (\w+) /.exec(line)?.[1]);
  for (const index of ['subscription_dates_next_try', 'plans_ends', 'subscriptions_ending_with_plan'])
    expect(indexes).toContain(index);
  expect(queryPlans.filter((line) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(line))).toEqual([]);
  expect(longScans).toEqual([]);
  await close();
});

test('the backlog is counted by indexes, up to its limit', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const queryPlans = await queryPlansOf(() => store.countBacklog(new Date(), 10));
  expect(queryPlans.filter((line) => /TEMP B-TREE|AUTOMATIC/.test(line))).toEqual([]);
  expect(longScans).toEqual([]);
  await close();
});

test('what has one of several wallets, belongs to an event or is held is found among nothing else', async () => {
  const { store, queryPlansOf, longScans, close } = await watchedStore();
  const project = aProject();
  await store.insertProject(project);
  const indexesOf = async (work: () => Promise<unknown>) =>
    (await queryPlansOf(work)).flatMap(
      (line) => /(\w+) \([^)]*\)$| INDEX (\w+)$/.exec(line)?.[0].trim() ?? [],
    );
  const now = new Date('2027-01-01');

  const seats = await indexesOf(() => store.findSeats(project.id, ['one', 'another', 'a third'], now, 31));
  expect(seats).toContain('subscriptions_seats (project_id=? AND wallet=?)');
  expect(seats).toContain('subscriptions_parked_of_wallet (project_id=? AND wallet=?)');
  expect(seats.filter((index) => index.startsWith('subscriptions_status'))).toEqual([]);

  const ofEvent = { endpointId: null, eventId: anEvent().id, state: null };
  const page = { limit: 20, startingAfter: null };
  const deliveries = await indexesOf(() => store.listProjectDeliveries(project.id, ofEvent, page));
  expect(deliveries).toEqual(['deliveries_event_endpoint (event_id=?)']);

  const backlog = await indexesOf(() => store.countBacklog(now, 10));
  expect(backlog).toContain('INDEX events_held');
  expect(backlog).not.toContain('INDEX events_created');
  expect(longScans).toEqual([]);
  await close();
});
