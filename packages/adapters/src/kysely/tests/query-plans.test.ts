import type { SubscriptionFilter } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { createKyselyStore, migrate, type Database } from '../index.js';
import { everyCall, type Calls } from './large/every-call.js';
import { fillLarge, LARGE_NOW, largeId } from './large/fill-large.js';
import { problemsOfPlan } from './scans.js';

const file = new SqliteFile(':memory:');
const ran: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
const db = new Kysely<Database>({
  dialect: new SqliteDialect(file, 0),
  log: ({ query }) => void ran.push(query),
});
const store = createKyselyStore(db, sqliteTraits);
const calls = everyCall(store);
const [projectId, planId] = [largeId('proj', 1_000_000_000), largeId('plan', 1_000_000_000)];
const subscriptionId = largeId('sub', 400);

beforeAll(async () => {
  await migrate(db, sqliteTraits);
  await fillLarge(db, 1_000, 10);
});
afterAll(() => db.destroy());

/** The lines of the query plan of each statement that some work runs. */
async function plansOf(work: () => Promise<unknown>) {
  ran.length = 0;
  await work();
  return ran
    .filter(({ sql }) => /^\s*(select|insert|update|delete|with)/.test(sql))
    .map(({ sql, parameters }) => {
      const explained = file.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
      return { sql, plan: explained.all(...parameters).map(({ detail }) => detail) };
    });
}

/** The indexes that some work searches, without those of primary keys. */
async function indexesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const lines = (await plansOf(work)).flatMap(({ plan }) => plan);
  return lines.flatMap((line) => / INDEX (?!sqlite_)(\w+.*)$/.exec(line)?.[1] ?? []);
}

test('no statement scans what may be long, or sorts what no page limits', async () => {
  const problems: string[] = [];
  for (const [name, ofName] of Object.entries(calls) as [keyof Calls, Calls[keyof Calls]][])
    for (const call of ofName)
      for (const { sql, plan } of await plansOf(call))
        problems.push(...problemsOfPlan(name, sql, plan).map((problem) => `${name}: ${problem}: ${sql}`));
  expect(problems).toEqual([]);
});

test.each<[keyof Calls, readonly string[]]>([
  ['listParked', ['subscriptions_parked_longest', 'subscriptions_seats']],
  ['findSeats', ['subscriptions_parked_of_wallet', 'subscriptions_seats']],
  ['listLate', ['subscriptions_status']],
  ['listByNextTry', ['subscription_dates_next_try']],
  ['listByPlanEnd', ['plans_ends', 'subscriptions_ending_with_plan', 'subscriptions_status_of_plan']],
  ['listProjectAttempts', ['attempts_of_project']],
  [
    'searchPayments',
    [
      'attempts_failed',
      'attempts_of_plan',
      'attempts_of_project',
      'attempts_subscription',
      'plans_project',
      'subscriptions_external_id',
      'subscriptions_wallet',
      'transfers_signature',
    ],
  ],
  ['countRunning', ['subscriptions_running_by_plan']],
  ['listLinks', ['links_project']],
  ['findSessionBySecret', ['sessions_secret']],
  ['listSessionSubscriptions', ['session_subscriptions_newest']],
  ['readPendingOfLinks', ['subscriptions_open_checkouts', 'subscriptions_status']],
  // Each deleted session looks for its rows.
  ['deleteUnusedVisits', ['session_subscriptions_newest', 'sessions_visits']],
  ['deleteSessions', ['session_subscriptions_newest', 'sessions_expires']],
  // The few that are not delivered are found without the many that are.
  [
    'listProjectDeliveries',
    [
      'deliveries_event_endpoint',
      'deliveries_not_delivered',
      'deliveries_not_delivered_to_endpoint',
      'deliveries_of_endpoint',
      'deliveries_of_project',
    ],
  ],
  ['listMails', ['mails_not_sent', 'mails_of_project', 'mails_of_subscription']],
  ['claimMails', ['mails_due']],
  ['hastenMails', ['mails_due']],
  ['deleteMails', ['mails_settled']],
  ['listRefusedAddresses', ['refused_addresses_newest']],
  ['countBacklog', ['deliveries_due', 'deliveries_not_delivered', 'events_held', 'subscription_dates_wake']],
])('%s goes along %o', async (name, expected) => {
  const indexes = new Set<string>();
  for (const call of calls[name])
    for (const index of await indexesOf(call)) indexes.add(index.split(' ')[0] ?? '');
  expect([...indexes].sort()).toEqual(expected);
});

test('countRunning reads nothing but its index', async () => {
  for (const call of calls.countRunning)
    expect(await plansOf(call)).toMatchObject([
      { plan: [expect.stringContaining(' USING COVERING INDEX ')] },
    ]);
});

test('payments are read by their ids, however many their project has', async () => {
  for (const call of calls.searchPayments)
    for (const { sql, plan } of await plansOf(call))
      if (sql.includes('"attempts"."id" in'))
        expect(plan).toContain('SEARCH attempts USING INDEX sqlite_autoindex_attempts_1 (id=?)');
});

test('the seats of several wallets are searched by each wallet', async () => {
  const wallets = ['one', 'another', 'a third'];
  const indexes = await indexesOf(() => store.findSeats(projectId, wallets, LARGE_NOW, 31));
  for (const index of ['subscriptions_seats', 'subscriptions_parked_of_wallet'])
    expect(indexes).toContain(`${index} (project_id=? AND wallet=?)`);
});

test.each<[Partial<SubscriptionFilter>, string]>([
  [{}, 'subscriptions_newest'],
  [{ address: 'address', status: 'active' }, 'subscriptions_address'],
  [{ wallet: 'wallet', status: 'active', planId }, 'subscriptions_wallet'],
  [{ externalId: 'reader', wallet: 'wallet', late: true }, 'subscriptions_external_id'],
  [{ email: 'reader@example.com', planId }, 'subscriptions_email'],
  [{ planId }, 'subscriptions_newest_of_plan'],
  [{ planId, status: 'active', late: false }, 'subscriptions_status_of_plan'],
  [{ status: 'ended' }, 'subscriptions_status'],
  [{ status: 'unpaid', late: true }, 'subscriptions_status'],
  [{ status: 'active', late: true, planId }, 'subscriptions_status_of_plan'],
  [{ blocked: true, planId, status: 'active' }, 'subscriptions_newest_blocked'],
  [{ late: false, blocked: false }, 'subscriptions_newest'],
  // By its primary key.
  [{ id: subscriptionId, wallet: 'wallet' }, ''],
])('a search for %o goes along the index %s, that of its rarest filter', async (filter, index) => {
  const none = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, status: null, late: null, blocked: null, failing: null, ending: null },
  };
  for (const startingAfter of [null, subscriptionId]) {
    const page = { limit: 20, startingAfter };
    const indexes = await indexesOf(() =>
      store.searchSubscriptions(projectId, { ...none, ...filter }, LARGE_NOW, page),
    );
    expect([...new Set(indexes.map((line) => line.split(' ')[0]))]).toEqual(index === '' ? [] : [index]);
  }
});
